"""Commands and calls that take a secret by its place: `rabbitmqctl add_user bob VALUE`, `mysqli_connect("host", "user", VALUE)`.

A row is `gate, literal, pattern, kind`: each place of the literal (in lower case) is tried with the pattern, which begins there; its group
`v` is the value. Adding a command is adding a row.
"""
from __future__ import annotations

_WORD = r"""(?P<q>["']?)(?P<v>[^\s"'|;<>$-][^\s"'|;<>]{3,200})(?P=q)"""
_QUOTED = r"""[rbu]{0,2}(?P<q>["'])(?P<v>[^"'\n]{4,120})(?P=q)"""
_KEY = r"""[rbu]{0,2}(?P<q>["'])(?P<v>[A-Za-z0-9+/_=.-]{16,200})(?P=q)[ ]?[,)]"""
_ARGUMENT = r"""[^()\n,]{1,120},[ ]?"""  # one that is no call itself

# after a command: the value is the next word; a row is gated by a stem of credential words or a sign, or it is tried on every text
POSITIONAL_COMMANDS = [
    ("_", "rabbitmqctl", r"(?i)rabbitmqctl[ ](?:add_user|change_password)[ ]\S{1,80}[ ]{1,4}" + _WORD, "password"),
    ("pass", "wpa_passphrase", r"(?i)wpa_passphrase[ ]\S{1,80}[ ]{1,4}" + _WORD, "password"),
    ("pass", "htpasswd -", r"(?i)htpasswd[ ]-\w{0,6}b\w{0,4}[ ](?:\S{0,100}[./]\S{1,100}[ ])?\S{1,60}[ ]" + _WORD, "password"),
    ("pass", "mysqladmin", r"(?i)mysqladmin[ ][^\n|;]{0,100}?[ ]password[ ]" + _WORD, "password"),
    ("pass", "requirepass", r"(?i)requirepass[ ]{1,4}" + _WORD, "password"), ("auth", "masterauth", r"(?i)masterauth[ ]{1,4}" + _WORD, "password"),
    ("auth", " auth ", r"(?i)[ ]auth[ ]{1,2}(?:default[ ])?" + _WORD + r"[ \t]{0,4}(?=[\r\n]|\Z)", "password"),
    ("psk", ".psk ", r"(?i)\.psk[ ]{1,4}" + _WORD, "password"),
    ("", "http-basic.", r"(?i)http-basic\.\S{1,80}[ ]\S{1,60}[ ]" + _WORD, "password"),
    ("", "useradd -", r"(?i)useradd[ ](?:-\S{1,20}[ ](?:[^\s-]\S{0,40}[ ])?){0,6}?-p[ ]" + _WORD, "password"),
    ("", "cargo login", r"(?i)cargo[ ]login[ ]" + _WORD, "token"), ("token", "add-authtoken", r"(?i)add-authtoken[ ]" + _WORD, "token"),
    ("token", "pypi-token.", r"(?i)pypi-token\.\S{1,40}[ ]" + _WORD, "token"), ("auth", "auth init -", r"(?i)auth[ ]init[ ]-t[ ]" + _WORD, "token"),
    ("", "alias set", r"(?i)alias[ ]set[ ]\S{1,40}[ ]\S{1,200}[ ]\S{1,80}[ ]" + _WORD, "secret"),
    ("_", "sp_addlogin", r"(?i)sp_addlogin[ ](?:@\w{1,20}[ ]?=[ ]?)?['\"][^'\"\n]{1,60}['\"],[ ]?(?:@\w{1,20}[ ]?=[ ]?)?" + _QUOTED, "password"),
    ("", "snmp-server", r"(?i)snmp-server[ ]{1,2}community[ ]{1,2}" + _WORD, "password"),
]
# after an opening bracket: the second or the third argument
POSITIONAL_CALLS = [
    *(("(", f"{call}(", r"(?i)\w{2,24}\(" + _ARGUMENT + _QUOTED + "[ ]?[,)]", "password")
      for call in ("begin", "credential", "credentials", "login")),
    *(("(", f"{call}(", r"(?i)\w{2,24}\(" + _ARGUMENT + _ARGUMENT + _QUOTED + "[ ]?[,)]", "password")
      for call in ("connect", "getconnection", "sequelize", "pdo", "mysqli")),
    ("auth", "basic_auth(", r"(?i)basic_auth\(" + _ARGUMENT + r"(?:Some\()?" + _QUOTED, "password"),
    *(("(", f"{call}(", r"(?i)[.\w]{2,24}\(" + _ARGUMENT + _KEY, "secret") for call in ("sign", "verify", "hmac", "jwt.encode", "cipheriv")),
    *(("(", f"{call}(", r"(?i)[.\w]{2,24}\(" + _KEY, "secret") for call in ("fernet", "hmac.new")),
]
