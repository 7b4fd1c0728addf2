"""Tests fovea view while its server runs."""

import http.client
import json
import os
import signal
import subprocess

from command import FOVEA, OK, SANITIZED, Skipped, check, without_leak_check

# A first map on software Vulkan takes more than half a minute under sanitizers.
PATIENCE = 300 if SANITIZED else 30


class Server:
    def __init__(self, *args):
        self.process = subprocess.Popen([FOVEA, "view", *args], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=without_leak_check(dict(os.environ)))
        line = self.process.stdout.readline().decode()
        if not line:
            error = self.process.communicate()[1].decode()
            if "libmicrohttpd" in error:
                raise Skipped("this build has no libmicrohttpd")
            check(False, f"does not serve: {error}")
        host, self.token, self.fragment = line.strip().removeprefix("http://").split("/")
        self.fragment = self.fragment.removeprefix("#")
        self.port = int(host.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def ask(self, what, method="GET", token=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, f"/{self.token if token is None else token}/{what}", headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()

    def get(self, what):
        status, body, _ = self.ask(what)
        check(status == 200, f"{what} is answered by {status}: {body[:200]}")
        return body

    def scores(self, encode=1):
        """Returns all scores, once scoring has ended."""
        while True:
            answer = json.loads(self.get(f"scores?from=0&encode={encode}"))
            if answer["ended"]:
                return answer

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        _, error = self.process.communicate(timeout=PATIENCE)
        check(self.process.returncode == OK, f"ends with {self.process.returncode}: {error.decode()}")
        return error.decode()
