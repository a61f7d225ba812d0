package dev.waybill.bench;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The events' numbers that came out of a queue, each with the time of its first arrival. */
final class Arrivals {

    private static final byte[] MARK = "\"n\":\"".getBytes(StandardCharsets.UTF_8);
    private static final int DIGITS = 16;

    private final Map<Long, Long> first = new HashMap<>();
    private int repeats;

    synchronized void add(byte[] body) {
        if (first.putIfAbsent(number(body), System.nanoTime()) != null) {
            repeats++;
        }
    }

    synchronized int count() {
        return first.size();
    }

    synchronized int repeats() {
        return repeats;
    }

    synchronized Map<Long, Long> times() {
        return Map.copyOf(first);
    }

    synchronized void clear() {
        first.clear();
        repeats = 0;
    }

    private static long number(byte[] body) {
        for (int at = 0; at <= body.length - MARK.length - DIGITS; at++) {
            if (body[at] == MARK[0] && marks(body, at)) {
                return Long.parseLong(new String(body, at + MARK.length, DIGITS, StandardCharsets.US_ASCII));
            }
        }
        throw new IllegalStateException("a message without a number: " + new String(body, StandardCharsets.UTF_8));
    }

    private static boolean marks(byte[] body, int at) {
        for (int i = 0; i < MARK.length; i++) {
            if (body[at + i] != MARK[i]) {
                return false;
            }
        }
        return true;
    }
}
