package dev.waybill.flows.hostile;

import java.util.SplittableRandom;

/** Methods, targets and headers that are nearly right, or not at all. */
final class OddTexts {

    private static final String[] METHODS = {
        "GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "QUERY", "post"
    };
    private static final String[] TARGETS = {
        "/",
        "*",
        "/nowhere",
        "/error",
        "/orders/a;x=%",
        "/orders/1",
        "/orders/ORD202601010000000000001",
        "/orders/%F0%9F%98%80",
        "/orders?userId=1&page=0",
        "/orders?userId=%zz",
        "/inventory/1/tea",
        "/inventory/999999999999999999999/tea",
        "/reservations/..%2f..%2fetc%2fpasswd",
        "/products/1;;;",
        "/products/0x1/inventory",
        "/users/1/notifications?size=-1",
        "/dead-letters?state=GONE",
        "/dead-letters/1/replay",
        "/waybill/api/dead-letters?state=GONE",
        "/waybill/api/jobs/1/cancel",
        "/demo/ratelimit",
        "//demo//ratelimit",
        "/demo/%2e%2e/demo/idempotent",
        "/demo/idempotent%00",
        "http://elsewhere/orders",
        "/\u00e9"
    };
    private static final String[] NAMES = {
        "Accept",
        "Accept-Language",
        "Accept-Charset",
        "Accept-Encoding",
        "Access-Control-Request-Method",
        "Authorization",
        "Connection",
        "Content-Encoding",
        "Cookie",
        "Expect",
        "Forwarded",
        "Host",
        "Idempotency-Key",
        "If-None-Match",
        "If-Modified-Since",
        "Origin",
        "Range",
        "TE",
        "Upgrade",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "X-HTTP-Method-Override",
        "X-Trace-Id",
        "traceparent",
        "tracestate",
        "bad header"
    };
    private static final String[] VALUES = {
        "",
        "-",
        "*",
        "--,--",
        "0",
        "-1",
        "en;q=zz",
        "zh-,en",
        "null",
        "é",
        "\u0001",
        "a\tb",
        "a\r\n2026-01-01 00:00:00.000 [main] [x] ERROR forged",
        "${jndi:ldap://127.0.0.1/x}",
        "' OR 1=1 --",
        "bytes=0-,-1",
        "close",
        "100-continue",
        "h2c",
        "http://elsewhere",
        "POST",
        "Basic !!!",
        "00-00000000000000000000000000000000-0000000000000000-01",
        "x".repeat(129),
        "x".repeat(4_000),
        "x".repeat(20_000)
    };
    private static final String[] CONTENT_TYPES = {
        "application/*",
        "*/*",
        "text/plain",
        "application/xml",
        "application/json;charset=utf-16",
        "application/json;charset=none",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "garbage",
        ";;",
        ""
    };
    private static final String[] ACCEPTS = {
        "image/png",
        "garbage",
        "text/html",
        "*/json",
        "application/xml;q=0.9",
        "application/json;q=x",
        "a/b/c",
        ",",
        "*"
    };
    private static final String[] CHUNKS = {
        "zz\r\n", "-5\r\nabc\r\n", "5\nabcde", "3\r\nabcdef\r\n0\r\n\r\n", "fffffffff\r\n", "\r\n"
    };
    private static final String[] LENGTHS = {
        "Content-Length: -1\r\n",
        "Content-Length: ten\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: 4\r\nContent-Length: 5\r\n",
        "Content-Length: 2000000000\r\n",
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: chunked, chunked\r\n"
    };

    private final SplittableRandom random;

    OddTexts(SplittableRandom random) {
        this.random = random;
    }

    <T> T pick(T[] from) {
        return from[random.nextInt(from.length)];
    }

    String method() {
        return pick(METHODS);
    }

    String target(String proper) {
        return random.nextInt(4) == 0
                ? proper + pick(new String[] {"?a=%", "/", ";x=%zz", "?", "#x", "%"})
                : pick(TARGETS);
    }

    String headerName() {
        return pick(NAMES);
    }

    String headerValue() {
        return pick(VALUES);
    }

    String contentType() {
        return pick(CONTENT_TYPES);
    }

    String accept() {
        return pick(ACCEPTS);
    }

    String badChunk() {
        return pick(CHUNKS);
    }

    String lengthHeaders() {
        return pick(LENGTHS);
    }
}
