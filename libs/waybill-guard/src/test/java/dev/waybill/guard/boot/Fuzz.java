package dev.waybill.guard.boot;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Makes requests that nobody should send. */
final class Fuzz {

    /** A request, byte by byte as Latin-1, and whether the connection is to be given up afterwards. */
    record Shot(String latin1, boolean closeAfter) {

        byte[] bytes() {
            return latin1.getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public String toString() {
            return latin1.length() > 1500 ? latin1.substring(0, 1500) + "… (" + latin1.length() + " bytes)" : latin1;
        }
    }

    private static final String[] METHODS = {"GET", "POST", "POST", "POST", "PUT", "DELETE", "PATCH", "FOO"};
    private static final String[] PATHS = {
        "/orders",
        "/orders",
        "/raw",
        "/orders/1",
        "/orders/%F0%9F%98%80",
        "/orders/%0d%0aX-A:%20b",
        "/orders/a?page=1",
        "/orders/a?page=x",
        "/orders/a?page=%00",
        "/orders/a?%zz=1",
        "/orders/..%2f..%2fetc",
        "/../../etc/passwd",
        "//orders//1",
        "/orders/1;a=b;c",
        "/nowhere",
        "/error",
        "/orders/%ff%fe",
        "/orders/" + "x".repeat(3000),
        "/actuator/env",
        "/orders/1?a[]=1&a[]=2&=&&",
        "/orders/%E2%80%A8",
        "*"
    };
    private static final String[] TYPES = {
        "application/json", "application/json", "application/json", "application/json;charset=utf-16", "text/plain",
                "application/xml",
        "multipart/form-data", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "a/b/c", ";;;",
                ""
    };
    private static final String[] TEXTS = {
        "",
        "a",
        "key-1",
        "key-2",
        "\"quoted\"",
        "😀😀",
        "a b",
        "a\tb",
        "${jndi:ldap://127.0.0.1/x}",
        "%0d%0a",
        "' OR 1=1 --",
        "<script>",
        "\u0000",
        "é",
        "\u202eabc",
        "null",
        "undefined",
        "../..",
        "a\u0085b",
        "a\u001b[31m",
        "x".repeat(200),
        "x".repeat(5000),
        "x".repeat(10_240),
        "a\r\nX-Injected: yes",
        "a\rb",
        "a\nb",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "en",
        "fr;q=zz",
        "*",
        "4bf92f3577b34da6a3ce929d0e0e4736"
    };
    private static final String[] HEADERS = {
        "X-Trace-Id",
        "X-Idempotency-Key",
        "Idempotency-Key",
        "traceparent",
        "tracestate",
        "Accept-Language",
        "Accept",
        "X-Note",
        "X-User",
        "X-Forwarded-For",
        "Cookie",
        "If-Match",
        "Range",
        "Origin",
        "X-Http-Method-Override",
        "Authorization"
    };
    private static final String[] VALUES = {
        "null", "true", "1", "-1", "1e999", "123456789012345678901234567890", "\"\"", "\"a\"", "\"\\u0000\"",
                "\"\\r\\n2026-01-01 forged\"", "\"\\ud800\"",
        "\"😀\"", "{}", "[]", "[1,2", "{\"a\":", "\"\u2028\"", "[{\"sku\":\"a\",\"quantity\":1}]",
                "[{\"sku\":{},\"quantity\":\"x\"}]", "[null]", "NaN", "0x1"
    };

    private static final String[] NOTES = {"a", "b", "\u00e9\u00f0\u009f", "${x}", "a\tb"};

    private final SplittableRandom random;

    Fuzz(SplittableRandom random) {
        this.random = random;
    }

    Shot next() {
        return random.nextInt(8) == 0 ? nearlyProper() : hostile();
    }

    /** Proper requests under a few keys, so that keys meet other requests. */
    private Shot nearlyProper() {
        String body = new String(proper(), StandardCharsets.ISO_8859_1);
        String head = "POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Idempotency-Key: key-" + random.nextInt(40)
                + "\r\nX-Note: " + pick(NOTES) + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        return new Shot(head + body, false);
    }

    private Shot hostile() {
        byte[] body = body();
        StringBuilder head = new StringBuilder();
        head.append(pick(METHODS)).append(' ').append(pick(PATHS)).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        int headers = random.nextInt(5);
        for (int i = 0; i < headers; i++) {
            head.append(pick(HEADERS)).append(": ").append(pick(TEXTS)).append("\r\n");
        }
        if (random.nextInt(3) > 0) {
            head.append("X-Idempotency-Key: key-").append(random.nextInt(40)).append("\r\n");
        }
        if (random.nextInt(10) > 0) {
            head.append("Content-Type: ").append(pick(TYPES)).append("\r\n");
        }
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(
                head.toString().getBytes(random.nextBoolean() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        return new Shot(all.toString(StandardCharsets.ISO_8859_1), random.nextInt(50) == 0);
    }

    private byte[] body() {
        int kind = random.nextInt(40);
        if (kind == 0) {
            return nested(1 + random.nextInt(20_000));
        }
        if (kind == 1) {
            return noise(random.nextInt(300));
        }
        if (kind == 2) {
            return random.nextInt(10) == 0 ? large() : new byte[0];
        }
        return kind < 15 ? proper() : wrongTypes();
    }

    private byte[] noise(int length) {
        byte[] noise = new byte[length];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) random.nextInt(256);
        }
        return noise;
    }

    private byte[] proper() {
        return ("{\"clientRequestId\":\"c-" + random.nextInt(60) + "\",\"userId\":" + random.nextInt(3)
                        + ",\"items\":[{\"sku\":\"a\",\"quantity\":1}]}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private byte[] wrongTypes() {
        byte[] bytes = ("{\"clientRequestId\":" + pick(VALUES) + ",\"userId\":" + pick(VALUES) + ",\"items\":"
                        + pick(VALUES) + "}")
                .getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private byte[] nested(int depth) {
        String open = random.nextBoolean() ? "[" : "{\"a\":";
        return open.repeat(depth).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] large() {
        return ("{\"clientRequestId\":\"" + "y".repeat(2 * 1024 * 1024) + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }
}
