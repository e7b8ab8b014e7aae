"""A screen reader's side of convscope: starts it, and knows of it only what AT-SPI tells."""
import os
import re
import subprocess
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

HANG_S = 600  # ends a test that hangs, and decides nothing


class Failure(Exception):
    pass


class Control:
    """A node of the tree, as it was when it was looked at."""

    def __init__(self, node):
        self.node = node
        self.role, self.name = node.get_role_name(), node.get_name()
        self.meaning = node.get_description()
        self.states = node.get_state_set()
        self.interfaces = node.get_interfaces()
        self.value = Atspi.Text.get_text(node, 0, -1) if "Text" in self.interfaces else ""

    def __str__(self):
        return f"{self.role} '{self.name}'"

    def has(self, state):
        return self.states.contains(getattr(Atspi.StateType, state))


class Reader:
    """As a context: the program runs, listened to."""

    def __init__(self, program):
        self.program, self.announced = program, []
        self.folder = tempfile.TemporaryDirectory(prefix="convscope_reader_")

    def __enter__(self):
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        bus.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set",
                      GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True))), None,
                      Gio.DBusCallFlags.NONE, -1, None)
        own = {name: os.path.join(self.folder.name, name) for name in
               ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
        Atspi.set_timeout(1000 * HANG_S, 1000 * HANG_S)  # of a call: else under a second
        self.running = subprocess.Popen([self.program], env={**os.environ, **own})
        self.listener = Atspi.EventListener.new(lambda event: self.announced.append(event.any_data))
        self.listener.register("object:announcement")
        try:
            self.wait_for(lambda: self.find("push button", "Run"), "the window")
            self.press("push button", "Skip")  # the tour of the first run
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.listener.deregister("object:announcement")
        self.running.terminate()
        status = self.running.wait(HANG_S)
        self.folder.cleanup()
        if status != 0:
            raise Failure(f"the program ended with {status}")

    def pump(self, seconds=0.05):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            GLib.MainContext.default().iteration(False)
            time.sleep(0.005)

    def window(self):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(i)
            if application and application.get_name() == "convscope" and application.get_child_count() > 0:
                return application.get_child_at_index(0)
        return None

    def controls(self):
        """All of the tree, in its order, as it was at one time: where something goes away while one looks, one looks again."""
        found = []

        def add(node):
            node.clear_cache()
            found.append(Control(node))
            for i in range(node.get_child_count()):
                child = node.get_child_at_index(i)
                if child:
                    add(child)

        while self.running.poll() is None:
            self.pump()
            found.clear()
            try:
                window = self.window()
                if window:
                    add(window)
                break
            except GLib.Error:
                pass
        return found

    def find(self, role, name, meaning=""):
        """'name': whole, or a compiled pattern."""
        for control in self.controls():
            same = name.search(control.name) if isinstance(name, re.Pattern) else control.name == name
            if control.role == role and same and meaning in control.meaning:
                return control
        return None

    def wait_for(self, look, what):
        end = time.monotonic() + HANG_S
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            if self.running.poll() is not None:
                raise Failure(f"the program ended with {self.running.returncode} before there was {what}")
        raise Failure(f"no {what}; there are\n" + "\n".join(f"{each}: {each.value}" for each in self.controls()))

    def get(self, role, name, meaning=""):
        return self.wait_for(lambda: self.find(role, name, meaning), f"{role} '{name}' {meaning}")

    def press(self, role, name, meaning=""):
        def pressed():
            control = self.find(role, name, meaning)
            try:
                return control and control.has("ENABLED") and Atspi.Action.do_action(control.node, 0)
            except GLib.Error:  # it went away since
                return False

        self.wait_for(pressed, f"{role} '{name}' that can be pressed")
        self.pump(0.2)

    def value(self, role, name, meaning=""):
        control = self.find(role, name, meaning)
        return control.value if control else None

    def set_text(self, role, name, text, meaning=""):
        Atspi.EditableText.set_text_contents(self.get(role, name, meaning).node, text)
        self.wait_for(lambda: self.value(role, name, meaning) == text, f"'{text}' in '{name}'")

    def keys(self, *names):
        """Pressed one after the other, as AT-SPI lets a reader do: "Right", or "Shift+Right"."""
        keysyms = {"Escape": 0xFF1B, "Left": 0xFF51, "Up": 0xFF52, "Right": 0xFF53, "Down": 0xFF54}
        shift = 50  # X's code of the left one
        for name in names:
            shifted = name.startswith("Shift+")
            if shifted:
                Atspi.generate_keyboard_event(shift, None, Atspi.KeySynthType.PRESS)
            Atspi.generate_keyboard_event(keysyms[name.removeprefix("Shift+")], None, Atspi.KeySynthType.SYM)
            if shifted:
                Atspi.generate_keyboard_event(shift, None, Atspi.KeySynthType.RELEASE)
            self.pump(0.3)

    def move(self, *names):
        """By keys, each of which points at something else: what is said of it is another text."""
        for name in names:
            before = self.texts()
            self.keys(name)
            self.wait_for(lambda: self.texts() != before, f"another text after {name}")

    def wait_to_hear(self, beginning):
        try:
            self.wait_for(lambda: self.pump() or any(text.startswith(beginning) for text in self.announced), beginning)
        except Failure:
            raise Failure(f"'{beginning}' was not announced, only {self.announced}") from None

    def texts(self):
        return [each.name for each in self.controls() if each.role == "label"]
