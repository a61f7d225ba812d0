package dev.waybill.outbox;

import dev.waybill.outbox.Breaker.Proof;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendFailure.Scope;
import dev.waybill.transport.SendTarget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations take messages. A broken connection or the broker's alarm stops everything; a topic that is not served,
 * that refuses one event after the other, or that does not answer, stops alone. Nothing that waits is spent on it. A probe
 * puts it on trial with a few messages, and those end the outage.
 */
final class Breakers {

    /** A claim names the topics that it leaves out, and a statement takes only so many parameters. */
    private static final int MOST_TOPICS_LEFT_OUT = 500;

    private static final int MOST_OPENERS = 1_000;

    private final RelayListener listener;
    private final Map<SendTarget, Breaker> breakers = new HashMap<>();
    private final Map<String, RefusalStreak> streaks = new HashMap<>();
    private final SilentTopics silent = new SilentTopics();

    /** Rows whose failures opened a topic's breaker. One that does so again is perhaps itself the reason. */
    private final Set<String> openers = new LinkedHashSet<>();

    /** Read on every send and every answer: true while nothing is down, on trial or in a streak. */
    private volatile boolean quiet = true;

    Breakers(RelayListener listener) {
        this.listener = listener;
    }

    boolean brokerIsDown() {
        return !quiet && isOpen(SendTarget.WHOLE_BROKER);
    }

    /** Whether the row's event may be sent now. On a topic's trial it then counts as one of its few until it is answered. */
    boolean admits(String topic, String row) {
        if (silent.isSilent(topic)) {
            return false;
        }
        if (quiet) {
            return true;
        }
        synchronized (this) {
            Breaker breaker = breakers.get(SendTarget.topic(topic));
            return !isOpen(SendTarget.WHOLE_BROKER) && (breaker == null || breaker.admit(row));
        }
    }

    /** What takes no messages now. */
    Set<SendTarget> down() {
        return quiet ? Set.of() : targets(Breaker::isOpen);
    }

    /** What takes no messages now, or only a few on trial. */
    Set<SendTarget> downOrOnTrial() {
        return quiet ? Set.of() : targets(any -> true);
    }

    /** Topics whose rows a claim leaves alone. Rows of topics beyond the first few hundred are claimed and released again. */
    Set<String> downTopics() {
        Set<String> topics = silent.names(MOST_TOPICS_LEFT_OUT);
        if (quiet) {
            return topics;
        }
        for (SendTarget target : targets(breaker -> !breaker.hasRoom())) {
            if (target instanceof SendTarget.Topic topic && topics.size() < MOST_TOPICS_LEFT_OUT) {
                topics.add(topic.name());
            }
        }
        return topics;
    }

    /** A message was admitted and goes to the broker. */
    void sent(String topic, long now) {
        silent.sent(topic, now);
    }

    void confirmed(String topic, String row, long now) {
        silent.confirmed(topic, now);
        if (quiet) {
            return;
        }
        List<SendTarget> back = new ArrayList<>(2);
        synchronized (this) {
            streaks.remove(topic);
            Breaker broker = breakers.get(SendTarget.WHOLE_BROKER);
            if (broker != null && !broker.isOpen()) {
                back.add(SendTarget.WHOLE_BROKER);
            }
            Breaker breaker = breakers.get(SendTarget.topic(topic));
            if (breaker != null) {
                breaker.confirmed(row, now);
                if (breaker.isOver()) {
                    back.add(SendTarget.topic(topic));
                }
            }
            end(back);
        }
        back.forEach(listener::destinationUp);
    }

    /**
     * A send failed.
     *
     * @return whether the topic was down already, or is about to be: then this was not the event's fault, and must not cost
     *     it an attempt
     */
    boolean failed(String topic, String row, SendFailure failure, String detail, long now) {
        silent.failed(topic);
        SendTarget target = SendTarget.topic(topic);
        SendTarget opened;
        boolean topicsFault;
        boolean back = false;
        synchronized (this) {
            Breaker breaker = breakers.get(target);
            if (breaker != null && saysThatTheTopicIsDown(failure)) {
                opened = null;
                // the probe has found the topic: an event that closes it once more does so by itself
                boolean closesIt =
                        failure == SendFailure.TOPIC_UNAVAILABLE && breaker.isTrying(row) && !opensForTheFirstTime(row);
                topicsFault = !breaker.refused(row, now) && !closesIt;
                back = breaker.isOver();
                if (back) {
                    end(List.of(target));
                }
            } else {
                if (breaker != null) {
                    breaker.answeredOtherwise(row);
                }
                RefusalStreak streak = streaks.get(topic);
                topicsFault = streak != null && streak.isLong() && saysThatTheTopicIsDown(failure);
                opened = openedBy(topic, row, failure, now);
                topicsFault |= failure == SendFailure.TOPIC_UNAVAILABLE && opensForTheFirstTime(row);
            }
        }
        if (opened != null) {
            listener.destinationDown(opened, failure, detail);
        }
        if (back) {
            listener.destinationUp(target);
        }
        return topicsFault;
    }

    /** Those whose next probe is due. */
    Set<SendTarget> dueForProbe(long now) {
        return quiet ? Set.of() : targets(breaker -> breaker.isDueForProbe(now));
    }

    synchronized void probed(SendTarget target, boolean worthATry, long now) {
        Breaker breaker = breakers.get(target);
        if (breaker != null) {
            breaker.probed(worthATry, now);
        }
    }

    /** Whether something is on trial that could take a message. */
    boolean trialHasRoom() {
        return !quiet && !targets(Breaker::hasRoom).isEmpty();
    }

    /**
     * Ends outages whose trials found nothing to send; otherwise they would count as down until the next event.
     *
     * @param nothingAtBroker whether no message at all is without an answer: the whole broker's trial needs that
     */
    void endQuietTrials(long now, boolean nothingAtBroker) {
        if (quiet) {
            return;
        }
        List<SendTarget> back;
        synchronized (this) {
            back = targets(breaker -> breaker.isQuietTrial(now)).stream()
                    .filter(target -> nothingAtBroker || !target.equals(SendTarget.WHOLE_BROKER))
                    .toList();
            end(back);
        }
        back.forEach(listener::destinationUp);
    }

    /** Sees which topics keep messages without an answer although others are confirmed. */
    void lookForSilence(long now) {
        silent.look(now);
    }

    int keptBySilentTopics() {
        return silent.kept();
    }

    /** Nobody will hear the answers to the messages that are at the broker, nor to those on trial: probes decide again. */
    synchronized void forgetUnanswered(long now) {
        silent.forget();
        breakers.values().forEach(breaker -> breaker.reopen(now));
    }

    private synchronized Set<SendTarget> targets(Predicate<Breaker> condition) {
        Set<SendTarget> targets = new HashSet<>();
        breakers.forEach((target, breaker) -> {
            if (condition.test(breaker)) {
                targets.add(target);
            }
        });
        return targets;
    }

    private synchronized boolean isOpen(SendTarget target) {
        Breaker breaker = breakers.get(target);
        return breaker != null && breaker.isOpen();
    }

    /** The oldest are forgotten: who still fails then opens a breaker once more at no cost. */
    private boolean opensForTheFirstTime(String row) {
        if (!openers.add(row)) {
            return false;
        }
        if (openers.size() > MOST_OPENERS) {
            openers.remove(openers.iterator().next());
        }
        return true;
    }

    /** What goes down with this failure; null when nothing does, or when it was down before. */
    private @Nullable SendTarget openedBy(String topic, String row, SendFailure failure, long now) {
        if (failure.permanent()) {
            return null;
        }
        if (failure.scope() == Scope.BROKER) {
            Breaker broker = breakers.get(SendTarget.WHOLE_BROKER);
            if (broker != null) {
                broker.reopen(now);
                return null;
            }
            return open(SendTarget.WHOLE_BROKER, Proof.ONE_CONFIRM, now);
        }
        if (failure.scope() == Scope.TOPIC) {
            return open(SendTarget.topic(topic), Proof.ONE_CONFIRM, now);
        }
        if (!saysThatTheTopicIsDown(failure)) {
            return null;
        }
        quiet = false;
        if (streaks.computeIfAbsent(topic, any -> new RefusalStreak(now)).provesOutage(row, failure, now)) {
            return open(SendTarget.topic(topic), Proof.MANY_CONFIRMS, now);
        }
        return null;
    }

    /** A message without a queue behind its routing key is that message's own: the exchange serves other keys. */
    private static boolean saysThatTheTopicIsDown(SendFailure failure) {
        return failure.scope() != Scope.BROKER && !failure.permanent() && failure != SendFailure.UNROUTABLE;
    }

    private SendTarget open(SendTarget target, Proof proof, long now) {
        streaks.remove(target.label());
        breakers.put(target, new Breaker(proof, now));
        quiet = false;
        return target;
    }

    private void end(List<SendTarget> back) {
        back.forEach(breakers::remove);
        quiet = breakers.isEmpty() && streaks.isEmpty();
    }
}
