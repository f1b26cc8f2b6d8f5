"""Tokens that give themselves away: one row for each vendor format, found by a literal prefix and judged by their shape.

A row is `kind  literals  body`. Every literal is a cheap trigger; the body is a regular expression in which `@b` stands for a
letter or digit, `@u` for those with `-` and `_`, `@s` for base64, `@h` and `@x` for hexadecimal (lower, any case), `@l` and `@A`
for lower or upper case with digits, and `@d` for a digit. Lengths are a minimum and a generous maximum, since vendors change
them. Adding a vendor is adding a row. The formats are published by the vendors and by the scanners gitleaks, detect-secrets,
secretlint, kingfisher and betterleaks (facts only); identifiers that are public by design (`pk_`, `phc_`, `AC...`) have no row.
"""
from __future__ import annotations

import functools
import re
import zlib

from .shapes import compiled, decode_base64, is_wordy, looks_random

# The ranks of spans: where two overlap, the higher one names what was found. Values found by their key are looked for elsewhere too.
ADDRESS, KEYED, GENERIC, VENDOR, ARMOURED, OWN = range(6)

# A kind that begins with `!` also refuses `-` and `_` on its left: its literal is an ordinary word's end (`risk-`, `task-`).
_TOKEN_ROWS = r"""
github_token ghp_,gho_,ghu_,ghr_,ghs_ (?:@b{36,255}|@d{1,20}_eyJ@u{8,2000}(?:\.@u{4,4000}){1,3})
github_token github_pat_ @b{20,30}_@b{40,120}
gitlab_token glpat-,gldt-,glrt-,glrtr-,glptt-,glft-,glimt-,glagent-,gloas-,glsoat-,glffct-,glcbt-,glwt- @u{20,300}(?:\.@b{2}\.?@b{7,9})?
gitlab_token GR1348941 @u{20,40}
bitbucket_token ATBB @b{28,40}
atlassian_token ATATT3,ATCTT3,ATSTT3 @u{60,300}(?:=@x{8})?
npm_token npm_ @b{36,64}
pypi_token pypi-Ag @u{50,1000}
rubygems_token rubygems_ @h{48}
crates_token cio @b{32}
nuget_key oy2 @l{43}
docker_token dckr_pat_,dckr_oat_ @u{24,64}
circleci_token CCIPAT_,CCIPRJ_ @b{16,30}_@h{40}
buildkite_token bkua_ @h{40}
jfrog_token AKCp @b{60,80}
jfrog_token cmVmd @b{55,70}
sonar_token squ_,sqp_,sqa_ @h{40}
sourcegraph_token sgp_ (?:@u{0,20}_)?@x{40}
prefect_token pnu_,pnb_ @b{36}
dbt_token dbtc_,dbtu_ @u{36,64}
octopus_key API- @A{26,36}
jetbrains_token perm-,perm: @s{4,80}=?\.@s{4,80}=?\.@b{24,64}
harness_token pat. @u{22}\.@h{24}\.@b{20}
openai_key sk-proj-,sk-svcacct-,sk-admin-,sk-None- @u{32,300}
anthropic_key sk-ant- @u{32,300}
openrouter_key sk-or- @u{32,200}
langfuse_key sk-lf- @h{8}-@h{4}-@h{4}-@h{4}-@h{12}
!sk_key sk- @u{20,300}
huggingface_token hf_,api_org_ @b{30,50}
groq_key gsk_ @b{40,64}
xai_key xai- @b{60,100}
perplexity_key pplx- @b{40,64}
replicate_token r8_ @b{34,40}
cerebras_key csk- @b{40,56}
nvidia_key nvapi- @u{55,80}
fireworks_key fw_ @b{20,28}
together_key tgp_v1_ @u{36,52}
elevenlabs_key sk_ @h{48}
!firecrawl_key fc- @h{32}
tavily_key tvly- @u{20,64}
pinecone_key pcsk_ @u{40,120}
langsmith_key lsv2_pt_,lsv2_sk_ @h{32}_@h{10}
langsmith_key ls__ @h{32}
llamacloud_key llx- @b{40,60}
jina_key jina_ @u{50,80}
wandb_key wandb_v1_ @u{60,120}
!voyage_key pa- @u{43}
e2b_key e2b_ @h{40}
daytona_key dtn_ @h{64}
!modal_token as-,ak- @b{22}
cursor_key key_,crsr_ @h{64}
anyscale_key esecret_ @b{20,40}
mem0_key m0- @b{40}
context7_key ctx7sk- @h{8}-@h{4}-@h{4}-@h{4}-@h{12}
apify_token apify_api_ @b{36,46}
logfire_token pylf_v1_ @u{40,70}
baidu_key bce-v3/ALTAK- @b{16,24}/@h{40}
aws_access_key_id AKIA,ASIA,ABIA,ACCA [A-Z0-9]{16}
aws_access_key_id A3T [A-Z0-9]{17}
aws_session_token IQoJb3JpZ2lu,FwoGZXIvYXdz,FQoGZXIvYXdz [A-Za-z0-9+/%=]{80,3000}
aws_bedrock_key ABSK,bedrock-api-key- @s{80,400}={0,2}
google_api_key AIza @u{35}
google_api_key AQ. @u{40,120}
google_oauth_token ya29. [A-Za-z0-9._-]{20,600}
google_oauth_secret GOCSPX- @u{24,40}
google_refresh_token 1// @d{1,2}@u{50,160}
yandex_key AQVN @u{35,40}
alibaba_key_id LTAI @b{16,24}
tencent_secret_id AKID @b{32,36}
digitalocean_token dop_v1_,doo_v1_,dor_v1_ @h{64}
digitalocean_key_id DO00 [A-Z0-9]{16}
heroku_key HRKU- @u{36,80}
fly_token fm1_,fm2_ [A-Za-z0-9+/_-]{80,2000}={0,2}
fly_token fo1_ @u{43}
netlify_token nfp_,nfc_,nfo_,nfu_ @b{36,44}
vercel_token vcp_,vci_,vca_,vcr_,vck_ @b{20,64}
vercel_token vercel_blob_rw_ @b{12,24}_@b{24,40}
render_key rnd_ @b{26,36}
cloudflare_token cfut_,cfat_,cfk_ @u{40,60}
cloudflare_token v1.0- @h{20,30}-@h{100,200}
planetscale_token pscale_pw_,pscale_tkn_,pscale_oauth_ @u{32,64}
neon_key napi_ @l{56,72}
supabase_token sbp_ (?:v0_)?@h{40}
supabase_key sb_secret_ @u{20,48}
databricks_token dapi,dkea @h{32}(?:-@d)?
vault_token hvs.,hvb.,hvr. @u{24,400}
pulumi_token pul- @h{40}
doppler_token dp.pt.,dp.st.,dp.ct.,dp.sa.,dp.scim.,dp.audit. (?:@u{2,35}\.)?@b{40,48}
onepassword_token ops_eyJ [A-Za-z0-9+/_=-]{100,2000}
onepassword_secret_key A3- [A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){3,5}
age_secret_key AGE-SECRET-KEY-1,AGE-SECRET-KEY-PQ-1 @A{50,128}
tailscale_key tskey- [a-z]{2,8}-@u{12,64}
openshift_token sha256~ @u{43}
deno_token ddp_,dsp_ @b{36}
confluent_key cflt @s{56,64}
stripe_key sk_live_,sk_test_,sk_prod_,rk_live_,rk_test_,rk_prod_ @b{16,247}
webhook_secret whsec_ @s{24,90}={0,2}
shopify_token shpat_,shpss_,shpca_,shppa_,shpua_ @x{32}
square_token EAAA @u{56,64}
square_token sq0csp-,sq0atp- @u{22,60}
paypal_token access_token$production$,access_token$sandbox$ @b{16}\$@h{32}
plaid_token access-production-,access-sandbox-,access-development- @h{8}-@h{4}-@h{4}-@h{4}-@h{12}
flutterwave_key FLWSECK-,FLWSECK_TEST- @b{12,40}(?:-X)?
easypost_key EZAK,EZTK @b{54}
duffel_token duffel_live_,duffel_test_ @u{43}
shippo_token shippo_live_,shippo_test_ @h{40}
sendgrid_key SG. @u{16,32}\.@u{30,64}
mailgun_key key- @h{32}
brevo_key xkeysib-,xsmtpsib- @h{64}-@b{16}
resend_key re_ @b{6,12}_@b{16,32}
twilio_key SK0,SK1,SK2,SK3,SK4,SK5,SK6,SK7,SK8,SK9,SKa,SKb,SKc,SKd,SKe,SKf @h{31}
slack_token xoxb-,xoxa-,xoxp-,xoxr-,xoxs-,xoxc-,xoxe-,xoxo-,xapp-1-,xwfp- @u{20,400}
slack_token xoxd- (?:@u|[+/=]|%2[BbFf]|%3[Dd]){20,400}
slack_token xoxe.xoxb-,xoxe.xoxp- 1-@u{60,300}
discord_token mfa. @u{60,100}
twitch_token oauth: @l{30}
linear_key lin_api_,lin_oauth_ @b{32,64}
notion_token ntn_ @b{40,60}
notion_token secret_ @b{43}
figma_token figd_,figu_ @u{36,64}
asana_token 1/,2/ @d{10,20}(?:/@d{10,20})?:@h{32}
airtable_token pat @b{14}\.@h{64}
hubspot_token pat- [a-z]{2,3}@d-@h{8}-@h{4}-@h{4}-@h{4}-@h{12}
postman_key PMAK- @h{24}-@h{34}
newrelic_key NRAK-,NRII-,NRAA- @u{24,36}
grafana_token glsa_ @b{32}_@x{8}
grafana_token glc_,eyJrIjoi @s{32,400}={0,2}
sentry_token sntryu_ @h{64}
sentry_token sntrys_ [A-Za-z0-9+/=_-]{50,600}
posthog_key phx_,phs_ @u{40,60}
dynatrace_token dt0c01.,dt0s01.,dt0s02.,dt0s16. @A{8,24}\.@A{64}
honeycomb_key hcaik_,hcxik_ @l{58}
axiom_token xaat-,xapt- @h{8}-@h{4}-@h{4}-@h{4}-@h{12}
facebook_token EAA [A-Za-z0-9]{60,400}
instagram_token IGQV,IGQW @u{100,300}
dropbox_token sl. (?:u\.)?@u{60,2000}
mapbox_token sk.eyJ @u{40,120}\.@u{22}
contentful_token CFPAT- @u{43}
typeform_token tfp_ @u{40,64}
readme_key rdme_ @l{70}
clickup_token pk_ @d{6,10}_@A{32}
launchdarkly_key sdk-,api- @h{8}-@h{4}-@h{4}-@h{4}-@h{12}
calcom_key cal_live_ @h{32}
stytch_secret secret-live-,secret-test- @u{36}
infracost_key ico- @b{32}
wakatime_key waka_ @h{8}-@h{4}-@h{4}-@h{4}-@h{12}
zuplo_key zpka_ @h{32}_@h{8}
zoho_token 1000. @h{32}\.@h{32}
ramp_secret ramp_sec_ @b{40,60}
salesforce_session 00D @b{12,15}![A-Za-z0-9_.]{60,140}
bip32_private_key xprv @b{107}
"""

# Formats whose tell-tale stands in the middle: the whole pattern is given, the literal is only the trigger.
_INNER_ROWS = r"""
azure_ad_secret Q~ @b{3}@dQ~[A-Za-z0-9_.~-]{31,34}
azure_key ACDb @b{76}ACDb@b{6}==
azure_key AzSe @b{42}AzSe@b{5,6}
azure_key AzFu @u{44}AzFu@u{4,8}={0,2}
azure_key JQQJ99 @b{52}JQQJ99@b{26}
azure_devops_token AZDO @b{76}AZDO@b{4}
azure_key +ASt @s{76}\+ASt@s{6}==
terraform_token .atlasv1. @b{14}\.atlasv1\.@u{60,80}
telegram_token :AA @d{8,10}:AA@u{33,35}
mailchimp_key -us @h{32}-us@d{1,2}
newrelic_key NRAL @h{36}NRAL
maxmind_key _mmk @b{6}_@b{29}_mmk
twitter_bearer %3D AAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{50,200}
webhook_url hooks.slack.com/ https?://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/-]{16,200}
webhook_url /api/webhooks/ https?://(?:[a-z]{2,10}\.)?discord(?:app)?\.com/api/webhooks/@d{5,24}/@u{20,120}
webhook_url .webhook.office.com/ https?://[a-z0-9-]{1,60}\.webhook\.office\.com/[A-Za-z0-9_/@.-]{30,400}
webhook_url outlook.office.com/webhook/ https?://outlook\.office\.com/webhook/[A-Za-z0-9_/@.-]{30,400}
webhook_url hooks.zapier.com/ https?://hooks\.zapier\.com/hooks/catch/@d{3,12}/[a-z0-9/]{5,40}
webhook_url .make.com/ https?://hook\.[a-z0-9.]{2,12}\.make\.com/@b{20,48}
webhook_url maker.ifttt.com/ https?://maker\.ifttt\.com/trigger/[^\s/]{1,60}/(?:json/)?with/key/@u{20,60}
webhook_url /bot/v2/hook/ https?://open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/@u{20,60}
webhook_url logic.azure.com https?://[a-z0-9.-]{5,80}\.logic\.azure\.com(?::@d{2,5})?/[A-Za-z0-9/_-]{10,200}\?[^\s"'<>]{0,200}sig=[A-Za-z0-9%_-]{20,99}
"""

_CLASSES = {"b": "[A-Za-z0-9]", "u": "[A-Za-z0-9_-]", "s": "[A-Za-z0-9+/]", "h": "[0-9a-f]", "x": "[0-9a-fA-F]", "l": "[a-z0-9]",
            "A": "[A-Z0-9]", "d": "[0-9]"}

# What may stand to the left of a token although it ends in a letter or digit: a JSON escape, a colour code's `m`, `%3D`, `\u0022`.
# Each is a look-behind of fixed width that also covers the literal, so that the search itself begins with the literal.
_LEFT_ESCAPES = (r"\\[nrtfbv0]", r"[0-9\[]m", "%[0-9A-Fa-f]{2}", r"\\u[0-9A-Fa-f]{4}", r"\\x[0-9A-Fa-f]{2}")


_INNER_EDGE = r"(?:(?<![A-Za-z0-9_].)|(?<=\\[nrt].)|(?<=[0-9\[]m.)|(?<=bot.)|(?<=%[0-9A-F]{2}.)|(?<=\\u[0-9a-fA-F]{4}.))"


def _expand_classes(body: str) -> str:
    return re.sub("@([busxhlAd])", lambda m: _CLASSES[m[1]], body)


def left_edge(literal: str = "", inside: str = "A-Za-z0-9") -> str:
    """The pattern of "a token may begin here", written to stand behind `literal` (already escaped)."""
    escapes = "|".join(f"(?<={escape}{literal})" for escape in _LEFT_ESCAPES)
    return f"(?:(?<![{inside}]{literal})|{escapes})"


@functools.cache
def token_rules() -> tuple[tuple[str, str, str], ...]:
    """All rules as `(kind, trigger, pattern)`; the pattern's match is the whole token, both edges checked."""
    rules = []
    for row in _TOKEN_ROWS.strip().split("\n"):
        kind, literals, body = row.split()
        body = _expand_classes(body)
        for literal in literals.split(","):
            head = re.escape(literal)
            # The checksum of these two vouches for a token even where its left side is glued to a word.
            edge = "" if kind in ("github_token", "npm_token") else left_edge(head, "A-Za-z0-9_-" if kind[0] == "!" else "A-Za-z0-9")
            if kind[0] == "!":  # a diff's dash is no part of a word
                edge = f"(?:{edge}|(?<=-{head})(?<!\\S-{head}))"
            rules.append((kind.lstrip("!"), literal, head + edge + body + "(?![A-Za-z0-9])"))
    for row in _INNER_ROWS.strip().split("\n"):
        kind, literal, body = row.split()
        if not body.startswith("http"):  # the edge stands behind the first character, so that the search can skip to that one
            first, rest = re.fullmatch(r"(@.|.)(.*)", body).groups()
            if rest.startswith("{"):
                count, rest = rest[1:].split("}", 1)
                rest = first + "{" + ",".join(str(int(number) - 1) for number in count.split(",")) + "}" + rest
            body = first + _INNER_EDGE + rest + "(?![A-Za-z0-9])"
        rules.append((kind, literal, _expand_classes(body)))
    return tuple(rules)


@functools.cache
def _rules_by_trigger() -> tuple[dict[str, list], list]:
    """The rules under the first three characters of their literal, and those with a shorter literal."""
    index: dict[str, list] = {}
    for rule in token_rules():
        index.setdefault(rule[1][:3], []).append(rule)
    return index, [rule for rule in token_rules() if len(rule[1]) < 3]


def _checksum_holds(token: str) -> bool:
    """GitHub and npm end a token with base62(CRC32(the 30 characters before))."""
    body, digits = token[4:-6], "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number = zlib.crc32(body.encode())
    tail = ""
    while number:
        number, rest = divmod(number, 62)
        tail = digits[rest] + tail
    return tail.rjust(6, "0") == token[-6:]


_LEFT_OK = r"(?:^|[^A-Za-z0-9]|\\[nrtfbv0]|[0-9\[]m|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})\Z"


def _token_is_real(kind: str, literal: str, token: str, before: str) -> bool:
    """The judge of a vendor match: no `xxxx` filler, no identifier that happens to fit."""
    body = token[len(literal):] if token.startswith(literal) else token
    if kind in ("github_token", "npm_token") and not compiled(_LEFT_OK).search(before):
        return _checksum_holds(token)
    if kind == "webhook_url":
        return len(set(token[-20:])) >= 8 or sum(map(str.isdigit, token)) >= 8
    if kind == "aws_access_key_id" and token.endswith("EXAMPLE"):  # the key of the vendor's documentation
        return False
    if len(set(body)) < 5 or compiled(r"[xX]{5}|\.\.\.").search(body):
        return False
    if kind == "sk_key":
        digits = sum(map(str.isdigit, body))
        if len(body) >= 20 and body != body.lower() and looks_random(body) and not is_wordy(body):
            return True
        return digits >= 2 and (len(body) >= 35 or body != body.lower() or digits >= 6) and (
            not compiled(r"(?:[a-z]{1,40}[0-9]{0,5}-|[0-9]{1,4}-){2,30}[a-z0-9]{1,80}").fullmatch(body))
    if kind == "crates_token" or kind == "nuget_key" or kind == "facebook_token":
        return looks_random(body) and any(map(str.isdigit, body))
    if len(literal) >= 5 and kind != "jina_key":  # so long a mark needs no proof of chance, only that no plain words follow
        return body != body.lower() or sum(map(str.isdigit, body)) >= 2
    return (body == body.upper() or looks_random(body) or not is_wordy(body) or sum(map(str.isdigit, body)) >= 4
            or (len(body) >= 30 and body.isalnum() and body != body.lower()))


# An AWS secret has no mark of its own: 40 characters of base64 within reach of a key id.
_AWS_PAIR = r"[^\x00]{1,200}?(?<![A-Za-z0-9+/=])(?P<v>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
# A Discord bot token has no literal: base64 of the bot's number, a time, a signature.
_DISCORD = (r"[MNO](?:(?<![A-Za-z0-9_].)|(?<=\\[nrt].)|(?<=[0-9\[]m.))[A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za"
            r"-z0-9])")
_JWT = r"eyJ@u{8,8192}(?:\.@u{0,16384}){1,4}"


def _is_aws_secret(value: str) -> bool:
    mixed = value != value.lower() and value != value.upper() and any(map(str.isdigit, value))
    return mixed and looks_random(value) and not value.endswith("EXAMPLEKEY")


def _jwt_is_real(token: str) -> bool:
    parts = token.split(".")
    header = decode_base64(parts[0])
    return b'"alg"' in header or (len(parts) >= 3 and b'"' in header and parts[1][:3] == "eyJ")


def find_tokens(text: str, start: int, end: int, words: set[str], spans: list) -> None:
    """Append `(start, end, kind, rank)` of every vendor token in `text[start:end]`, whose words are `words`. Linear: triggers first, on
    long words only."""
    long = [word for word in words if len(word) >= 20]
    if not long:
        return
    joined = " ".join(long)
    dotted = any(word.count(".") >= 2 and "://" not in word for word in long if len(word) >= 58)
    index, short = _rules_by_trigger()
    awake = list(short)
    for trigger in sorted(set(map("".join, zip(joined, joined[1:], joined[2:]))) & index.keys()):
        awake += index[trigger]
    for kind, literal, pattern in awake:
        if literal in joined:
            for match in compiled(pattern).finditer(text, start, end):
                if _token_is_real(kind, literal, match[0], text[max(0, match.start() - 6):match.start()]):
                    spans.append((match.start(), match.end(), kind, GENERIC if kind == "sk_key" else VENDOR))
                    pair = compiled(_AWS_PAIR).match(text, match.end(), end) if kind == "aws_access_key_id" else None
                    if pair and _is_aws_secret(pair["v"]):
                        spans.append((*pair.span("v"), "aws_secret_key", VENDOR))
    if dotted:
        for match in compiled(_DISCORD).finditer(text, start, end):
            if len(set(match[0])) >= 8 and decode_base64(match[0].split(".")[0])[:15].isdigit():
                spans.append((match.start(), match.end(), "discord_token", VENDOR))
    if "eyJ" in joined and "." in joined:
        for match in compiled(_expand_classes(_JWT)).finditer(text, start, end):
            if _jwt_is_real(match[0]):
                spans.append((match.start(), match.end() - (match[0][-1] == "." and match[0].count(".") != 2), "jwt", GENERIC))
