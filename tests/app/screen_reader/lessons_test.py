#!/usr/bin/env python3
"""lessons_test.py CONVSCOPE [TITLE...]   solves lessons 1 to 3 through AT-SPI alone: reads what is said, types, presses. Run on
an X server and a session bus of its own (under_xvfb, under_dbus)."""
import re
import sys

from reader import Failure, Reader


def rows(reader, title):
    """The numbers of an array, as they are read out."""
    text = reader.get("image", title).value
    return [[float(cell) for cell in line.split() if cell != "-"] for line in text.splitlines()]


def numbers(reader, title):
    return [cell for row in rows(reader, title) for cell in row]


def share_of_zeros(reader):
    cells = numbers(reader, "Input x")
    return f"{100 * cells.count(0) / len(cells):g}"


def products(reader):
    """Eq. 1, from the sizes of what is read out."""
    x, w = rows(reader, "Input x"), rows(reader, "Filter w")
    return f"{(len(x) - len(w) + 1) * (len(x[0]) - len(w[0]) + 1) * len(w) * len(w[0])}"


def second_of_window(reader):
    window = [cell for row in rows(reader, "Input x")[:3] for cell in row[:3] if cell != 0]
    return f"{window[1]:g}"


def raise_zeros(reader):
    reader.set_text("spin button", "zeros", "95 %")


def point_at_f_data(reader):
    """From the first input to the 15, along its links to F_data[0], and from there to F_data[5]."""
    reader.keys("Escape")
    reader.move("Right", "Right", "Right")
    for _ in range(5):
        if any(text.startswith("F_data[") for text in reader.texts()):
            break
        reader.move("Shift+Right")
    reader.move("Down", "Right", "Right")


def step_on(reader):
    for _ in range(21):
        reader.press("push button", re.compile("^One step: "))


def run_pecr0b(reader):
    reader.press("combo box", "The method whose kernel is stepped through")
    reader.press("list item", re.compile("^pecr0b"))
    reader.press("push button", re.compile("^To the end"))


verdicts = ("Right: ", "Not quite: ", "Your answer: ", "Done")

# By a piece of what is asked: the number, the option's words, or what reads or does it. None: a time, any answer will do.
lessons = {
    "Why zeros cost": {
        "What share of this map is zero": share_of_zeros,
        "How many multiplications does the dense convolution of this map make": products,
        "And how many additions": "72",
        "How many windows cover it": "6",
        "The share of multiplications that can be skipped": "larger",
        "until less than a tenth": raise_zeros,
        "How long will ecr3 take": None,
        "multiplications does the dense convolution make?": products,
        "How many windows cover the value in its corner": "1",
        "Must they need the same number": "No",
        "A kernel skips 90 %": "need not fall at all",
    },
    "ECR by hand, then on the executor": {
        "F_data of T1 begins with 15": second_of_window,
        "first element of K_data": "0",
        "multiplied by w[1, 2] in the window of T2": point_at_f_data,
        "What does Ptr hold for T2": "4",
        "What does T2 write": "38",
        "how many elements does F_data have": "27",
        "do F_data and K_data of the whole map take": "216",
        "How many stay idle": "29",
        "until T2 has stored its 23": step_on,
        "take part in this store": "1",
        "How many multiply-add instructions": "4",
        "Ptr hold for the last window": "2",
        "what is y[2, 0]": "31",
        "What does ECR store in Ptr": "-1",
        "What does that do to the warp": "It takes as many multiply-add steps as before",
    },
    "Slips in print": {
        "does the slip change here": "0",
        "if each weight is read transposed": "30",
        "What is the second one really": "38",
        "do three block rows require": "81",
        "with ptr = temp + 1": "3",
        "how many products does T1 get now": "2",
        "What will the check find?": "A read of something that nobody wrote",
        "Which Index is right": "2",
        "For how many of the nine places": "1",
        "cnt starts at 0 in every thread": "A data race: two threads write the same element",
        "Which change removes the race": "Each thread starts at thread_idx * p_w * p_h * k_w * k_h",
        "Step through": run_pecr0b,
        "leave in maxvalue[0]": "31",
        "return as the maximum": "46",
        "Which element does every thread load": "0",
        "Does the check let it pass": "No",
        "And the right maximum": "50",
        "caught the transposed filter": "A filter that is not symmetric",
        "index i * k_h + j right": "for square ones",
        "Would that make it right": "No",
    },
}


def verdict(controls):
    return next((each.name for each in controls if each.name.startswith(verdicts)), "")


class Solver:
    def __init__(self, reader, title):
        self.reader, self.answers, self.title, self.seen = reader, lessons[title], title, set()

    def column(self):
        """What stands in the lesson's column, in order."""
        found = self.reader.controls()
        begin = next((i for i, each in enumerate(found) if each.role == "panel" and each.name == "Lesson"), None)
        if begin is None:
            return []
        end = next((i for i in range(begin + 1, len(found)) if found[i].role in ("panel", "dialog")), len(found))
        return found[begin + 1:end]

    def position(self):
        return next((each.name for each in self.column() if each.name.startswith("Step: ")), "")

    def open_item(self):
        """The first question or task that is not answered: its text, its answer."""
        column = self.column()
        for i, each in enumerate(column):
            if each.role != "label":
                continue
            piece = max((key for key in self.answers if key in each.name), key=len, default=None)
            if not piece:
                continue
            self.seen.add(piece)
            if not verdict(column[i + 1:i + 3]):
                return each.name, self.answers[piece]
        return None

    def answer(self, question, answer):
        reader = self.reader
        if answer is None:
            answer = next(each.name for each in self.column() if each.role == "radio button")
            reader.press("radio button", answer)
            reader.press("push button", "Answer")
            self.wait_until_settled(question)
            return
        if callable(answer):
            answer = answer(reader)
        if answer is None:  # a task, which was done
            self.wait_until_settled(question)
            return
        column = self.column()
        place = next(i for i, each in enumerate(column) if each.name == question)
        if next(each.role for each in column[place + 1:] if each.role != "label") == "radio button":
            reader.press("radio button", answer)
        else:
            reader.set_text("entry", re.compile("^Your answer"), answer)
        reader.press("push button", "Answer")
        settled = self.wait_until_settled(question)
        if not settled.startswith("Right: "):
            raise Failure(f"{question}: {settled}")
        reader.wait_to_hear("Right: ")
        reader.announced.clear()

    def is_settled(self, question):
        column = self.column()
        place = next((i for i, each in enumerate(column) if each.name == question), None)
        return place is not None and verdict(column[place + 1:place + 3])

    def wait_until_settled(self, question):
        return self.reader.wait_for(lambda: self.is_settled(question), f"verdict on '{question}'")

    def solve(self):
        self.reader.press("page tab", "Lessons")
        self.reader.press("push button", f"Begin: {self.title}")
        self.reader.wait_for(self.position, "the lesson")
        while True:
            item = self.open_item()
            if item:
                print(f"{self.title}: {item[0]}", flush=True)
                self.answer(*item)
                continue
            before = self.position()
            if "the end" in before:
                break
            self.reader.press("push button", re.compile("^(Next|To the end)$"))
            self.reader.wait_for(lambda: self.position() not in ("", before), "the next step")
        if self.seen != set(self.answers):
            raise Failure(f"{self.title}: never asked: {set(self.answers) - self.seen}")
        result = next(text for text in self.reader.texts() if "right at the first try" in text)
        right, _, whole, *_ = result.split()
        if right != whole:
            raise Failure(f"{self.title}: {result}")
        print(f"{self.title}: {result}", flush=True)
        self.reader.press("push button", "All lessons")


with Reader(sys.argv[1]) as running:
    for each in sys.argv[2:] or lessons:
        Solver(running, each).solve()
