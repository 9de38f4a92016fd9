"""Reads cases as JSON from standard input and prints which of them are valid. See ../verifiers.ts."""
import base64
import hashlib
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORM = re.compile(
    r'pazar=(\("@status" "unencoded-digest" "pazar-reason" "pazar-question"\);created=\d+;expires=(\d+)'
    r';nonce="([\w-]+)";keyid="([\w-]+)";alg="ed25519";tag="([\w-]+)")'
)


SIGNATURE = re.compile(r"pazar=:([A-Za-z0-9+/]{86}==):")


def digest(text):
    return "sha-256=:" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + ":"


def is_good(case):
    found = FORM.fullmatch(case["signature_input"])
    signature = SIGNATURE.fullmatch(case["signature"])
    if found is None or signature is None:
        return False
    parameters, expires, nonce, key_id, tag = found.groups()
    if key_id not in case["keys"] or nonce != case["nonce"] or tag != case["tag"]:
        return False
    if int(expires) < case["now"]:
        return False
    base = "\n".join(
        [
            f'"@status": {case["status"]}',
            f'"unencoded-digest": {digest(case["body"])}',
            f'"pazar-reason": {case["reason"]}',
            f'"pazar-question": {digest(case["question"])}',
            f'"@signature-params": {parameters}',
        ]
    )
    key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(case["keys"][key_id] + "="))
    try:
        key.verify(base64.b64decode(signature[1]), base.encode())
        return True
    except InvalidSignature:
        return False


print(json.dumps([is_good(case) for case in json.load(sys.stdin)]))
