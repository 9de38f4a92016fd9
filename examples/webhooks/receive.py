import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def is_genuine(secret, message_id, timestamp, signatures, body):
    """Whether one of the signatures is right, and the message not older than five minutes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key or not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    text = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, text, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        message_id, timestamp, signatures = (
            self.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
        )
        secret = os.environ["WEBHOOK_SECRET"]
        if is_genuine(secret, message_id, timestamp, signatures, body):
            # The same id may come again: keep it, and do nothing the second time.
            print(message_id, json.loads(body)["type"], flush=True)
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
