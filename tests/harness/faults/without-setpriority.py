"""Runs a command that is not allowed to call setpriority(), like the server under SystemCallFilter=~@resources of its unit."""

import ctypes
import errno
import os
import platform
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.EPERM
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
setpriority = {"x86_64": 141, "aarch64": 140}[platform.machine()]

instructions = [
    (LOAD, 0, 0, 0),
    (JUMP_IF_EQUAL, 0, 1, setpriority),
    (RETURN, 0, 0, FAIL),
    (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in instructions))
program = struct.pack("HP", len(instructions), ctypes.addressof(code))
libc = ctypes.CDLL(None)
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
