#!/usr/bin/env python3
"""controls_test.py CONVSCOPE   every control of every view and overlay has a role, a name and a place; fields have a value;
what changes is told. Run on an X server and a session bus of its own (under_xvfb, under_dbus)."""
import re
import sys

from reader import Atspi, Failure, GLib, Reader

with_a_value = {"entry", "spin button", "combo box"}
escape, right, tab = 9, 114, 23  # keys, as X numbers them


def what_is_wrong(controls):
    """The first thing that a reader could not use; empty when there is none."""
    if len(controls) < 20:
        return f"only {len(controls)} controls"
    for each in controls:
        if each.role in ("unknown", "invalid", "") or not each.name.strip():
            return f"{each} ({each.meaning}) has no role or no name"
        if each.role in with_a_value and "Text" not in each.interfaces:
            return f"{each} has no value"
        try:
            box = Atspi.Component.get_extents(each.node, Atspi.CoordType.WINDOW)
        except GLib.Error:
            return f"{each} went away"
        if box.width <= 0 or box.height <= 0 or not each.has("SHOWING"):
            return f"{each} is nowhere"
    return ""


def check(reader, where):
    """What goes away or is made meanwhile is right a moment later."""
    for _ in range(100):
        controls = reader.controls()
        wrong = what_is_wrong(controls)
        if not wrong:
            return print(f"{where}: {len(controls)} controls", flush=True)
        reader.pump(1)
    raise Failure(f"{where}: {wrong}")


def show(reader, view):
    reader.press("page tab", view)
    reader.wait_for(lambda: any(each.role == "panel" and each.name == view for each in reader.controls()), view)


def every_view(reader):
    for view in ("Layout", "Step", "Compare", "Sweep", "Network", "Lessons"):
        show(reader, view)
        reader.pump(1)  # what is made beside the frames
        check(reader, view)


def every_overlay(reader):
    for entry, closing in (("Export", "Close"), ("Settings", "Close"), ("Notices", "Close"), ("Glossary", "Close"),
                           ("About", "Close")):
        reader.press("push button", "More")
        reader.press("menu item", entry)
        reader.get("push button", closing)
        check(reader, entry)
        reader.press("push button", closing)
    reader.press("combo box", "Preset")
    reader.get("list item", re.compile("vgg19/conv1_1"))
    check(reader, "the list of presets")
    reader.press("list item", "examples/xu-fig4")


def numbers(reader):
    height = "Height of the input map"
    field = reader.get("spin button", "h", height).node
    if Atspi.Value.get_current_value(field) != 5:
        raise Failure(f"h is {Atspi.Value.get_current_value(field)}")
    Atspi.Value.set_current_value(field, 9)
    reader.wait_for(lambda: reader.value("spin button", "h", height) == "9", "9 rows")
    reader.wait_for(lambda: len(reader.get("image", "Input x").value.splitlines()) == 9, "an array of 9 rows")
    reader.press("push button", re.compile("^Undo"))
    reader.wait_for(lambda: reader.value("spin button", "h", height) == "5", "5 rows again")


def what_is_said(reader):
    """The inspector's sentence, as keys move what it is of; and where the keyboard is."""
    show(reader, "Layout")
    for key in (escape, escape, right):
        Atspi.generate_keyboard_event(key, None, Atspi.KeySynthType.PRESSRELEASE)
        reader.pump(0.5)
    reader.wait_to_hear("x[0,0] = 0")
    Atspi.generate_keyboard_event(tab, None, Atspi.KeySynthType.PRESSRELEASE)
    reader.wait_for(lambda: any(each.has("FOCUSED") for each in reader.controls()), "focus")


with Reader(sys.argv[1]) as running:
    numbers(running)
    what_is_said(running)
    every_view(running)
    every_overlay(running)
