"""What the description of the interface can not say: a date is possible, `end` is not before `start`, a site is a host record, a question a name, an e-mail an e-mail, a password not plain, a window of traffic is before now, and neither empty nor longer than three months, changes have no window, and a key of idempotency is for one request."""

import re
import uuid
from datetime import datetime, timedelta, timezone

import schemathesis

TRAFFIC_WINDOW_MIN = timedelta(minutes=1)
TRAFFIC_WINDOW_MAX = timedelta(days=92)
# The service of the test has a clock of its own, which is later.
BEFORE_NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)

# Moments of the past that may be asked about, and a span of a day.
PAST = {"at": "2026-01-01", "start": "2026-01-01", "end": "2026-01-02"}

# What does not go with `changedSince`.
WINDOW = {"last", "start", "end", "order", "cursor", "severity"}

FORMS = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z")


QUESTION = re.compile(r"([a-z][a-z0-9]*[.])*[a-z0-9]+")

EMAIL = re.compile(r"[a-z0-9.]+@[a-z0-9.]+")
NETWORK = re.compile(r"192[.]0[.]2[.]0/24")
EXPORTER = re.compile(r"192[.]0[.]2[.]([1-9]|0/24)")
DOMAIN = re.compile(r"([a-z][a-z0-9]{0,9}[.]){1,3}[a-z]{2,9}")

HOST_RECORD = re.compile(r"([*][.])?([a-z][a-z0-9]*[.])+[a-z]{2,}|192[.]0[.]2[.](0/24|[1-9])")


def moment(text):
    """None when the text is no possible date-time."""
    for form in FORMS:
        try:
            parsed = datetime.strptime(text, form)
        except (TypeError, ValueError):
            continue
        return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)
    return None


# Nobody listens there, and an admin may have messages sent to this machine.
CHANNEL = {"kind": "webhook", "settings": {"url": "http://127.0.0.1:9/hook"}}


# Rules, silences and words: who is told is a channel of the caller, what is watched a host record, a time zone one that there is, and a silence short and to come.
ALERT_BODY = {
    "send": None,
    "escalate": [],
    "report": {"day": "mon", "hour": 8, "timeZone": "Europe/Berlin"},
    "at": None,
    "quiet": None,
    "reach": "own",
    "timeZone": "Europe/Berlin",
    "titleTemplate": "{{event.site}}",
    "textTemplate": "{{event.site}}",
    "sites": ["*.example.net"],
    "address": "noc@example.net",
    "from": "2100-01-01T00:00:00Z",
    "until": "2100-01-02T00:00:00Z",
}


def channel_body(body):
    return {name: CHANNEL.get(name, value) for name, value in body.items() if name != "secrets"}


def alert_body(path, body):
    if path == "/api/v1/alerts/import":
        # Two of one name are refused, rightly, and so is a name of blanks alone.
        channels = [alert_body("", {**channel_body(each), "name": "one"}) for each in (body.get("channels") or [])[:1]]
        rules = [alert_body("", {**each, "name": "one"}) for each in (body.get("rules") or [])[:1]]
        return {"channels": channels, "rules": rules}
    if path == "/api/v1/alerts/preview":
        return {name: value for name, value in body.items() if name not in ("eventId", "at")}
    found = {name: ALERT_BODY.get(name, value) for name, value in body.items()}
    if path == "/api/v1/alerts/silences":
        found["from"] = ALERT_BODY["from"]
    if isinstance(found.get("when"), dict) and "sites" in found["when"]:
        found["when"] = {**found["when"], "sites": ALERT_BODY["sites"]}
    return found


@schemathesis.serializer("application/x-ndjson")
def json_lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Whatever asks, sequences of calls too: what is right on purpose gets what the description of the call does not know. Settings and secrets of a channel are by the schema of its kind; a page follows one that there was; a key of idempotency that was used for another request is refused, rightly."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.path.startswith("/api/v1/alerts/channels") and isinstance(case.body, dict):
        case.body = channel_body(case.body)
    if case.path.startswith("/api/v1/alerts/") and isinstance(case.body, dict):
        case.body = alert_body(case.path, case.body)
    if case.path == "/api/v1/alerts/deliveries" and case.query:
        case.query.pop("before", None)
    if case.path.endswith(("/explanation", "/what-if")) and case.query:
        case.query.update({name: value for name, value in PAST.items() if name in case.query})
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


def day_before(moment):
    """None where there is no moment, and in the first day that Python has."""
    try:
        return moment - timedelta(days=1) if moment else None
    except OverflowError:
        return None


@schemathesis.hook
def filter_case(context, case):
    """Cases that are wrong on purpose stay as they are, but for lines that are none: nothing else can be sent as lines."""
    if case.media_type == "application/x-ndjson" and not isinstance(case.body, (str, bytes)):
        return False
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return True
    path = case.path_parameters or {}
    if "question" in path and not QUESTION.fullmatch(str(path["question"])):
        return False
    body = case.body if isinstance(case.body, dict) else {}
    if len(set(body.get("password", "four"))) < 4 or not EMAIL.fullmatch(body.get("email", "a@b")):
        return False
    if body.get("name", "name").strip() == "":
        return False
    if body.get("role") is not None and body.get("isAdmin") is not None and body["isAdmin"] != (body["role"] == "admin"):
        return False
    if not all(EXPORTER.fullmatch(each) for each in body.get("entries", [])):
        return False
    allowed = body.get("allowed") or {"networks": [], "domains": []}
    if not all(NETWORK.fullmatch(each) for each in allowed["networks"]) or not all(DOMAIN.fullmatch(each) for each in allowed["domains"]):
        return False
    query = case.query or {}
    if str(query.get("q", "q")).strip() == "":
        return False
    if "site" in query and not HOST_RECORD.fullmatch(str(query["site"])):
        return False
    if "changedSince" in query and not WINDOW.isdisjoint(query):
        return False
    given = {name: moment(query[name]) for name in ("start", "end") if name in query}
    if None in given.values():
        return False
    if case.path == "/api/v1/traffic" and given:
        end = given.get("end")
        start = given.get("start", day_before(end))
        return None not in (start, end) and start < BEFORE_NOW and TRAFFIC_WINDOW_MIN <= end - start <= TRAFFIC_WINDOW_MAX
    return len(given) < 2 or given["start"] <= given["end"]
