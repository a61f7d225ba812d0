package dev.waybill.outbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Topics that keep messages without an answer for a second although the broker confirms others. Such a topic gets nothing
 * more until it confirms something promptly, or until nothing of it is left at the broker; and what it keeps takes no place
 * from the other topics. Otherwise one topic whose answers take seconds would fill the window, and all others would wait for
 * it. A late confirm says nothing: answers that trickle in after seconds are the very thing.
 */
final class SilentTopics {

    private static final long SILENCE = Duration.ofSeconds(1).toNanos();

    private static final class AtBroker {

        /** When those without an answer were sent. Each answer counts as one to the first of them. */
        private final Deque<Long> unanswered = new ArrayDeque<>();

        private boolean silent;

        /** When it last confirmed something promptly, or when the first of those without an answer was sent. */
        private long heardAt;

        private boolean isPrompt(long now) {
            Long first = unanswered.peekFirst();
            return first == null || now - first < SILENCE;
        }
    }

    private final Map<String, AtBroker> topics = new HashMap<>();
    private long lastConfirm = Long.MIN_VALUE;
    private final AtomicInteger kept = new AtomicInteger();

    synchronized void sent(String name, long now) {
        AtBroker topic = topics.computeIfAbsent(name, any -> new AtBroker());
        if (topic.unanswered.isEmpty()) {
            topic.heardAt = now;
        }
        topic.unanswered.addLast(now);
        if (topic.silent) {
            kept.incrementAndGet();
        }
    }

    synchronized void confirmed(String name, long now) {
        AtBroker topic = topics.get(name);
        boolean prompt = topic == null || topic.isPrompt(now);
        answered(name);
        if (!prompt) {
            return;
        }
        lastConfirm = now;
        if (topic != null) {
            topic.heardAt = now;
            if (topic.silent) {
                topic.silent = false;
                kept.addAndGet(-topic.unanswered.size());
            }
        }
    }

    synchronized void failed(String name) {
        answered(name);
    }

    private void answered(String name) {
        AtBroker topic = topics.get(name);
        if (topic == null) {
            return;
        }
        if (topic.silent) {
            kept.decrementAndGet();
        }
        topic.unanswered.pollFirst();
        if (topic.unanswered.isEmpty()) {
            topics.remove(name);
        }
    }

    /** Sees who is silent by now. While the broker confirms nothing promptly, nobody is. */
    synchronized void look(long now) {
        for (AtBroker topic : topics.values()) {
            if (!topic.silent && now - topic.heardAt >= SILENCE && lastConfirm > topic.heardAt) {
                topic.silent = true;
                kept.addAndGet(topic.unanswered.size());
            }
        }
    }

    boolean isSilent(String name) {
        return kept.get() > 0 && isSilentNow(name);
    }

    private synchronized boolean isSilentNow(String name) {
        AtBroker topic = topics.get(name);
        return topic != null && topic.silent;
    }

    /** Not more than so many of them. */
    synchronized Set<String> names(int most) {
        Set<String> names = new HashSet<>();
        topics.forEach((name, topic) -> {
            if (topic.silent && names.size() < most) {
                names.add(name);
            }
        });
        return names;
    }

    /** How many messages silent topics keep. */
    int kept() {
        return kept.get();
    }

    /** Nobody will hear the answers to what is at the broker. */
    synchronized void forget() {
        topics.clear();
        kept.set(0);
    }
}
