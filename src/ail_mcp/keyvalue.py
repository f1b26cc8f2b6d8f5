"""The judge of key/value pairs: is the key a word for a credential, and is the value a value?

A key is cut into words (`dbPassword2`, `DB_PASSWORD_PROD`, `x-api-key`); its last word decides, together with the one before. The
stronger the key, the less the value has to prove:

    PASSWORD  a word for a password: any quoted literal that is no label, type or placeholder; unquoted it must not be code
    SECRET    secret, api key, private key ...: the same, but a plain word is taken for a name
    TOKEN     token, pass, pw: letters with digits, of some length
    WEAK      key, auth, session, sig ...: at least 16 characters that look random
"""
from __future__ import annotations

import functools

from .secretgate import FOREIGN_PASSWORDS
from .shapes import character_classes, compiled, decode_base64, is_wordy, looks_random

WEAK, TOKEN, SECRET, PASSWORD = 1, 2, 3, 4


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_KEY_WORDS = "[A-Z]+(?![a-z\u00df-\u024f])|[A-Z]?[a-z\u00c0-\u024f]+|[0-9]+|[^\\x00-\\x7f]+"
_PASSWORD_WORDS = _word_set(
    "password passwd passphrase passcode passwort kennwort contrasena contrase\u00f1a senha wachtwoord parola haslo has\u0142o"
    " losenord l\u00f6senord heslo sifre \u015fifre"
    " salasana lozinka mdp clave adgangskode passord kodeord jelszo jelsz\u00f3 parole passe motdepasse pswd passwrd psswd pword"
    " \u043f\u0430\u0440\u043e\u043b\u044c \u043f\u0430\u0440\u043e\u043b\u044f \u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4"
    " \u30d1\u30b9\u30ef\u30fc\u30c9 \u6697\u8a3c\u756a\u53f7 \ube44\ubc00\ubc88\ud638 \uc554\ud638 \ube44\ubc88")
_PASSWORD_ENDS = ("password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pwd",
                  "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4",
    "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638")
_SECRET_WORDS = _word_set("secret apikey secretkey accesskey privatekey authkey apisecret clientsecret appsecret appkey masterkey"
                          " encryptionkey signingkey sharedkey accountkey"
                          " sharedsecret geheimnis \u0441\u0435\u043a\u0440\u0435\u0442 \u5bc6\u94a5 \u5bc6\u9470 \u79d8\u94a5"
                          " \u30b7\u30fc\u30af\u30ec\u30c3\u30c8")
_TOKEN_WORDS = _word_set("token accesstoken authtoken bearertoken refreshtoken apitoken idtoken jwt pass pw psw pwd psk bearer pat"
                         " \u0442\u043e\u043a\u0435\u043d \u4ee4\u724c \u30c8\u30fc\u30af\u30f3 \ud1a0\ud070")
_WEAK_WORDS = _word_set("key auth authorization credential credentials cred creds cookie session sig sas salt keys tokens secrets"
                        " passwords apikeys passwds otp \u5bc6\u7801\u5b50 \u30ad\u30fc \ud0a4")
_SECRET_KEYS = _word_set(  # X key
    "api access secret private auth account encryption decryption encrypt signing sign master shared preshared ssh service storage"
    " subscription function functions admin root"
    " server app application client write ingest aes hmac crypto cipher jwt license deploy deployment security webhook sas"
    " integration sdk bot developer dev personal rest management"
    " wallet symmetric fernet cookie token tls ssl vpn wg rpc oauth oauth2 hub openai anthropic claude gemini google gcp maps"
    " mistral groq deepgram stripe sendgrid mailgun twilio"
    " datadog dd algolia azure aws cohere huggingface hf openrouter deepseek xai pinecone tavily serper firecrawl replicate"
    " elevenlabs together fireworks perplexity nvidia ollama"
    " cloudflare github gitlab slack discord telegram notion linear figma airtable supabase firebase posthog sentry newrelic relic"
    " grafana heroku netlify vercel render fly railway"
    " weather news tmdb omdb giphy unsplash youtube alchemy infura etherscan binance coinbase kraken merchant payment paypal square"
    " braintree razorpay mailchimp postmark resend"
    " langchain langsmith langfuse wandb jina voyage rapid rapidapi serpapi ipinfo mapbox here ninja openweather openweathermap"
    " polygon finnhub alpaca vantage iex scraper browserless exa brave assembly assemblyai")
_NAME_KEYS = _word_set(  # X key that is public or only a name
    "public publishable primary foreign partition sort cache hash index idempotency row object map dict group unique composite"
    " translation message registry lookup hot arrow shortcut"
    " event storekey s3 bucket object blob sort order dedupe range natural surrogate candidate join config setting settings option column field"
    " parent child item data first last next prev any each"
    " label list node type format meta tag trace span metric feature flag route routing query search react element component style"
    " theme color menu tab page view")
_NAME_TOKENS = _word_set("pad eos bos unk sep cls mask page next max stop start end special"
    " lock idempotency creation starting pagination paging marker cancellation cancel num lexer input output"
                         " prompt completion cached total first last prev continuation"
                         " sync public word sub text control eof image audio reasoning thought current per each delim delimiter"
                         " punctuation keyword operator change skip")
_TAIL_WORDS = _word_set("prod production dev development staging stage test testing qa uat old new current previous prev next primary"
                        " secondary backup hex base64 b64 base value val str string plain"
                        " plaintext raw env default live sandbox local main data encoded encrypted decrypted here v")
_VERBS = _word_set("reset change forgot forgotten update verify show hide toggle enter missing invalid wrong bad no require required"
                   " requires has is validate check hash generate random lost repeat"
                   " retype remember without error err need needs use uses using get fetch read find load choose input type with parse")
_WEAK_KINDS = {"sig": "signature", "sas": "signature", "cookie": "session", "session": "session", "keys": "api_key"}
_ACCOUNTS = _word_set("db database smtp mail email imap pop user admin root redis mysql mariadb pg postgres postgresql mongo ftp sftp"
                      " ssh sudo login auth account ldap mqtt rabbitmq amqp proxy http basic"
                      " wifi sql my default service system master registry docker nexus jenkins vpn ansible become host")
_NO_PASSWORDS = _word_set("bypass buypass compass encompass surpass trespass overpass underpass multipass")
_SEED_PHRASES = _word_set("mnemonic phrase seed_phrase recovery_phrase secret_phrase backup_phrase seed_words")


@functools.lru_cache(maxsize=4096)
def credential_key(key: str) -> tuple[int, str]:
    """How strongly `key` names a credential (0: not at all) and the kind of what it names."""
    if "REDACTED_" in key:  # the name of a secret is no key, or redacting twice would find more
        return 0, ""
    if key.lower() in FOREIGN_PASSWORDS:
        return PASSWORD, "password"
    words = [word.lower() for word in compiled(_KEY_WORDS).findall(key)]
    while len(words) > 1 and (words[-1] in _TAIL_WORDS or words[-1].isdigit() or len(words[-1]) == 1 and words[-1].isascii()):
        words.pop()
    if not words:
        return 0, ""
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last == "public" or before in ("public", "publishable") or "public" in words[-3:-1] and last == "token":
        return 0, ""
    verb = any(word in _VERBS for word in words[:-1])
    if (f"{before}_{last}" in _SEED_PHRASES or last in _SEED_PHRASES) and before != "pass":
        return PASSWORD, "seed_phrase"
    if last in _PASSWORD_WORDS or last == "phrase" or last.endswith(_PASSWORD_ENDS) and last != "pwd":
        return (TOKEN if verb else PASSWORD), "password"
    if last in _SECRET_WORDS or last.endswith("secret"):
        return (TOKEN if verb else SECRET), "secret" if "aws" not in words else "aws_secret_key"
    if last == "key":
        if before in _NAME_KEYS:
            return 0, ""
        if before == "access" and "secret" in words and "aws" in words:
            return SECRET, "aws_secret_key"
        if before in _SECRET_KEYS and not verb:
            return SECRET, "secret" if before in ("secret", "private") else "api_key"
        return WEAK, "api_key"
    if last.endswith(("apikey", "secretkey", "accesskey", "privatekey")):
        return SECRET, "api_key"
    if last in ("pass", "pw", "pwd") and before in _ACCOUNTS:
        return PASSWORD, "password"
    if last in ("pass", "pw", "psw", "pwd", "psk") or last.endswith("pass") and last not in _NO_PASSWORDS:
        return TOKEN, "password"
    if last in _TOKEN_WORDS or last.endswith("token"):
        return (0, "") if before in _NAME_TOKENS else (TOKEN, "token")
    if last in _WEAK_WORDS:
        return WEAK, _WEAK_KINDS.get(last, "credential")
    return 0, ""


SEED_WORDS = "[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23}"

# ---- values that are none

_FILLER_WORDS = _word_set(
    "your my the a an some any our their this that user users username admin name password passwd pass pwd passphrase secret token"
    " tokens key keys api apikey access auth client app"
    " id value string str text int bool example sample placeholder dummy fake mock test tests testing demo foo bar baz qux xxx xxxx"
    " todo tbd fixme changeme change me replace replaceme insert"
    " enter here none null nil undefined true false yes no on off na unknown redacted hidden masked removed secure private public"
    " credentials credential login set unset empty default new old"
    " disabled enabled super very not is in to with from of or and for configured required optional missing invalid env var variable"
    " vault abc abc123 abcd 123 1234 12345 xyz db database prod production dev"
    " development staging local server host account service bearer basic oauth oauth2 jwt type field input label prompt query param"
    " header config settings real actual own it put go goes paste"
    " generated random long strong safe good bad incorrect wrong forgot reset confirm current basicauth file path url uri email mail"
    " phone number object array any unknown never function void char"
    " varchar number boolean byte bytes integer float double date option optionstring secretstr sensitive noop keyring prompted ask"
    " stdin manager store session cookie hash hashed plain"
    " passwort kennwort contrase\u00f1a contrasena senha mot motdepasse wachtwoord parola geheim clave")
_FILLER_SHAPES = (
    r"(?:(.)(.)(?:\1\2)*\1?|[.*\u2022x_-]+|__\w+__|0x0*|-?[0-9]{1,5}|[0-9]+\.[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}.*"
    r"|(?:~|\.{1,2})/.*|(?:[\w-]+\.){1,6}[a-z]{2,6}:[0-9]{2,5}|[a-z_]+(?::[\w,]+)?(?:\|[a-z_]+(?::[\w,]+)?)+"
    r"|<.*>|\[.*\]|\(.*\)|\{.*\}|%[a-z_]\w*%|%\(?[a-z_]*\)?[sdr]|\$[a-z_][\w:.]*"
    r"|(?:\$\(|![a-z_]{2,20}(?=[ :/.]|$)|enc\[|\{cipher\}|data:"
    r"|@microsoft\.keyvault).*|[a-z_][\w.]*\(.*\))")
_FILLER_INSIDE = (r"\.\.\.|\u2026|\*\*\*|\u2022\u2022|x{4}|<[a-z_ -]+>|[$#@]\{|\{\{|<%|\{[a-z_][^{}]{0,80}\}|\{\}|%\(\w+\)s|\$\([a-z]"
                  r"|\(\?[:p=!<]|\][+*?{]|\[\^|a-z0|xyzabc")
_TEMPLATE_PARTS = (r"(?i)\.{3,}|\u2026+|\*{3,}|\u2022{2,}|x{4,}|<[a-z_ -]+>|[$#@]?\{\{?[^{}]{0,80}\}\}?|[$#@]\{|<%[^>]{0,80}>"
                   r"|%\(\w+\)s|\$\([^)]*\)?|\(\?[:p=!<]+|\[[^\]]*\][+*?]?|xyzabc|[^\w.!#$%^&*+/=~-]+")
_REFERENCE = (  # where the secret is kept: a vault, a file, the environment, an address without a password
    r"(?:(?:op|vault|arn|ssm|secretsmanager|file|env|ref|azurekeyvault|keyring|sops|kms|gcp|akv|awssm|bws|infisical"
    r"|doppler)[:+][^@]*|(?:https?|ftp|s3|gs|git|ssh)://[^@]*|projects/[\w./-]+"
    r"|(?:secrets?|env|process\.env|vars?|self|this|os\.environ|config|settings|data|local|module|params|props|inputs|steps|github"
    r"|runner|ctx|context|request|req|options|opts|args)[.\[].*)")
_PATH = r"(?:~|\.{0,2}|[A-Za-z]:|[\w.-]+)?(?:[/\\][\w.@${}*-]{1,60}){1,20}/?"
def is_filler(value: str) -> bool:
    """Does the whole value say "put something here", name a type, or point to where the secret is kept?"""
    if len(set(value)) <= 2:
        return True
    low = value[:300].lower().removesuffix("\\n")
    if low in _FILLER_WORDS:
        return True
    if compiled(_FILLER_SHAPES).fullmatch(low) or compiled(_REFERENCE).fullmatch(low):
        return True
    if compiled(_FILLER_INSIDE).search(low):  # a mask, a template, a pattern; but these signs also come up inside a random value
        return not has_random_piece(value)
    bare = compiled("%[sd]").sub("", value) if "%" in value else value
    if bare != value and (not compiled(r"\w").search(bare) or is_wordy(bare)):
        return True
    if len(value) == 40 and value.endswith("EXAMPLEKEY"):  # of the documentation of AWS
        return True
    if low.endswith(("_here", "-here", " here")) and compiled(_CREDENTIAL_WORD).search(low):
        return True
    words = [word for word in compiled("[^a-z0-9\u00c0-\u024f]+").split(compiled("(?<=[a-z])(?=[A-Z])").sub("-", value).lower()) if word]
    return all(word in _FILLER_WORDS or word[:-1] in _FILLER_WORDS and word[-1].isdigit() for word in words)


def has_random_piece(value: str) -> bool:
    """Is there a secret beside the masks and templates in a value?"""
    return any(is_random_secret(piece, 8) for piece in compiled(_TEMPLATE_PARTS).split(value[:300]))


def _is_path(value: str) -> bool:
    slashed = "/" in value or "\\" in value
    return slashed and bool(compiled(_PATH).fullmatch(value)) and is_wordy(value.replace("/", " ").replace("\\", " "))


_CODE = (r"""(?x)
    [\w.$:>-]*[\w\])]\(.* | [\w.$]+\[.* | [&*!@\\].*(?<![0-9]) | .*[;{]$ | .*(?:::|->|=>|\(\)|\]\)|\|\|).* | [A-Za-z_][\w.]*<.*
    | [A-Za-z_$][\w$]*(?:\.[\w$]+)+=.* | (?:new|await|yield|not|lambda|func|function|typeof)
    | [A-Za-z_$][\w$]*(?:[.?!]+[A-Za-z_$][\w$]*)+ | [A-Z][A-Za-z.]*\? | \[\].* | map\[.* """)


_DOTTED_NAME = (r"[a-z_]{2,40}(?:\.[A-Za-z_]\w{1,60}){2,8}|[a-z][a-z0-9_]{1,30}(?:\.\w{1,60}){0,6}\.[A-Z][A-Za-z0-9]{0,60}"
                "(?:Key|Type|Error|Config|Client|Manager|Provider|Factory|Token|Secret|Credentials?|Auth|Session|Str|Field|Base)")


def is_code(value: str) -> bool:
    """Is an unquoted value an expression rather than a literal: a call, an attribute, an index, a type?"""
    if value[0] in "([{":
        return True
    if not compiled(_CODE).fullmatch(value):
        return False
    if compiled(r"[\w.!?$]+").fullmatch(value) and not is_wordy(compiled("[.!?$]+").sub(".", value)):
        return bool(compiled(_DOTTED_NAME).fullmatch(value))
    return True


def _is_letter_salad(value: str) -> bool:
    """Random without a digit, as one long value in twenty is."""
    return (len(value) >= 16 and value.replace("-", "").isalpha() and value != value.lower() and value != value.upper()
            and looks_random(value) and not is_wordy(value))


def has_letter_and_more(value: str) -> bool:
    """A letter, and a digit or a symbol or an odd capital: what people do to a word to make it a password."""
    more = any(map(str.isdigit, value)) or character_classes(value) >= 3 or bool(compiled(r"[^\w\s.,:/-]").search(value)) or _is_letter_salad(value)
    return more and any(map(str.isalpha, value))


# times, versions (`1.14.10-1~deb12u1`), files, resource names
_NO_SECRET = (r"[0-9T:.+Z -]+|v?(?:[0-9]{1,3}:)?[0-9]{1,4}(?:\.[0-9]{1,5}){1,4}(?:[-+~.][\w.+~-]*)?|[\w./:@-]{1,200}\.[a-z]{2,5}"
              r"|[\w.@-]{1,60}(?:/[\w.@-]{1,200})*/"
              r"|arn:.*")
_UUID = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"


def is_random_secret(value: str, least: int = 16) -> bool:
    """For weak keys: long, letters with digits, no words, no UUID, no path."""
    if len(value) < least or not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)) or compiled(r"\s").search(value):
        return False
    if compiled(_UUID).fullmatch(value) or compiled(_NO_SECRET).fullmatch(value) or is_wordy(value) or _is_path(value):
        return False
    return looks_random(value) or sum(map(str.isdigit, value)) * 6 >= len(value)


def is_value(value: str, strength: int, kind: str, quoted: bool, sure: bool = False) -> bool:
    """Is `value`, found under a key of `strength`, a secret? `sure`: the place is one for literals only (an env line, a flag)."""
    if len(value) > 4096 or len(value) < 4 or is_filler(value):
        return False
    if kind == "seed_phrase":
        return bool(compiled(SEED_WORDS).fullmatch(value))
    if compiled(r"\s").search(value):
        return _is_spaced_secret(value, strength, quoted)
    if not value.isascii() and any("\u2e80" <= sign <= "\uffef" for sign in value) or _is_path(value) or value.startswith("-----"):
        return False
    if strength == WEAK:
        named_hash = compiled("(?:[a-zA-Z]+[-_])*(?:[0-9a-f]{8,}|[0-9]+)").fullmatch(value)
        return is_random_secret(value) and (quoted or not is_code(value)) and not named_hash
    if not quoted and is_code(value):
        return False
    if strength == TOKEN:
        return _is_token(value, quoted, sure) if kind != "password" else _is_short_password(value, quoted, sure)
    if strength == SECRET:
        return not value.isdigit() and _is_secret(value, sure)
    return _is_password(value, quoted, sure)


def _is_password(value: str, quoted: bool, sure: bool) -> bool:
    """Under a word for a password: a quoted literal may be any word, an unquoted one must not read as a name."""
    if value.isdigit():
        return len(value) >= 6
    wordy = is_wordy(value)
    if quoted:
        return not wordy or (not compiled("[._/:]").search(value) or any(map(str.isdigit, value))) and not _has_credential_word(value)
    if not wordy or compiled("[0-9]{2}|[^A-Za-z0-9_.:/-]").search(value):
        return sure or has_letter_and_more(value)
    if value.count("-") >= 3:  # a passphrase
        return not any(word in _FILLER_WORDS for word in value.lower().split("-")) and not _has_credential_word(value)
    if value.isalpha() and sure:
        return value.islower() or not _has_credential_word(value)
    if value.isalpha() and value.islower():
        return len(value) >= 16 and not compiled(_CREDENTIAL_WORD).search(value)
    return len(value) >= 6 and value.isalnum() and not compiled(_TECHNICAL).fullmatch(value.lower()) and any(map(str.isdigit, value))


def _is_short_password(value: str, quoted: bool, sure: bool) -> bool:
    """Under `pass` or `pw`, which mean other things too."""
    if value.isdigit():
        return len(value) >= 6 and (quoted or sure)
    name = is_wordy(value) and "_" in value and not quoted and not compiled("[0-9]{3}$").search(value)
    return len(value) >= 6 and (has_letter_and_more(value) and not name or sure and quoted and value.isalnum())


def _is_token(value: str, quoted: bool, sure: bool) -> bool:
    if compiled(r"[\\()|]").search(value) or compiled(_NO_SECRET).fullmatch(value):
        return False
    if len(value) >= 20 and character_classes(value) >= 2 and not is_wordy(value) and looks_random(value):
        return True
    mixed = len(value) >= 8 and any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return mixed and (looks_random(value) or bool(compiled(_UUID).fullmatch(value)) or len(value) >= 10 and not is_wordy(value))


def _is_secret(value: str, sure: bool) -> bool:
    """Under `secret` or `api_key`: words are taken for a name, unless only a literal can stand there."""
    if not is_wordy(value) or compiled("[0-9]{3}").search(value):
        return len(value) >= 6 and (has_letter_and_more(value) or len(value) >= 16)
    if sure and (value.isalpha() and value.islower() and len(value) >= 8 or len(value) >= 16 and not _has_credential_word(value)):
        return True
    return value.isalnum() and len(value) >= 24 and value != value.lower() and bool(compiled("[0-9][A-Za-z]").search(value))


_CREDENTIAL_WORD = "(?i)pass|secret|token|key|cred|pwd"
# Algorithms, encodings and numbered things: `password: sha256`, `the password is base64`.
_TECHNICAL = ("(?:sha|md|utf|oauth|ipv|http|python|py|php|argon|pbkdf|bcrypt|scrypt|base|aes|rsa|tls|ssl|web|level|step|option|type"
              "|version|page|part|phase|col|column|row|line|field|group"
              "|item|arg|param|var|val|value|key|user|test|node|[a-z]{1,2})[0-9]{1,4}[a-z]{0,3}")


def _has_credential_word(value: str) -> bool:
    return len(compiled("[A-Z]?[a-z]+|[A-Z]+").findall(value)) > 1 and bool(compiled(_CREDENTIAL_WORD).search(value))


_STOP_WORDS = (r"(?i)(?:^|\s)(?:a|an|the|your|you|is|are|was|not|to|for|of|in|on|or|and|with|must|should|at|least|please|enter|be|by|from"
               r"|if|it|has|no)(?=\s|$)")


def _is_spaced_secret(value: str, strength: int, quoted: bool) -> bool:
    """A passphrase of several words, or a sentence? Only quoted ones can be told."""
    words = value.split()
    if not quoted or strength < SECRET or len(value) > 120 or compiled(_STOP_WORDS).search(value):
        return False
    if strength == PASSWORD and len(words) >= 4 and all(compiled("[a-z]{3,10}").fullmatch(word) for word in words):
        return True
    return len(words) <= 4 and any(character_classes(word) >= 3 and len(word) >= 6 and not is_wordy(word) for word in words)


def is_prose_password(value: str) -> bool:
    """For "the password is X": X must look like one by itself."""
    if len(value) < 6 or is_filler(value) or is_code(value) or _is_path(value) or not value[0].isascii():
        return False
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    numbered = r"(?i)[a-z]{1,3}-?[0-9.]+|[0-9]+[a-z]{1,3}|[a-z]+-?[0-9]{1,2}|[a-z]+[0-9.]*\.[a-z0-9]{1,4}"  # v2, 30s, step-12, file1.txt
    if letters and digits >= 2 and not compiled(numbered).fullmatch(value):
        return True
    if compiled("[a-z]{4,20}[0-9]{1,3}").fullmatch(value.lower()) and not compiled(_TECHNICAL).fullmatch(value.lower()):
        return True  # hunter2
    if _is_letter_salad(value):
        return True
    symbols = compiled(r"[a-z0-9][@#$%^&*!?+=~]|[@#$%^&*][A-Za-z0-9]").search(value)
    return letters >= 4 and character_classes(value) >= 3 and (digits >= 1 or bool(symbols))


def is_basic_pair(value: str) -> bool:
    """Base64 of `user:password`, as HTTP Basic and registries have it (RFC 7617)."""
    decoded = decode_base64(value)
    return b":" in decoded[1:] and len(decoded) >= 6 and all(32 <= byte < 127 or byte > 127 for byte in decoded)
