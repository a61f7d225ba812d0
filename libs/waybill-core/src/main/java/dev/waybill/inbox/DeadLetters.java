package dev.waybill.inbox;

import dev.waybill.job.JobWorker;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.RateThrottle;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.InboxStore;
import dev.waybill.store.OperatorDecision;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of this service: collected from the brokers into a table, where they do not expire, and there for a
 * person to look at, mend, replay or discard. Every act is audited with who and why.
 *
 * <p>A replay reaches only the group or queue that failed. A process that dies while it collects leaves the letter at the
 * broker; one that dies while it replays leaves the letter REPLAYING, and the next one sends it, so that it may arrive
 * twice: the inbox knows repeats.
 */
public final class DeadLetters implements Lifecycle {

    /** The kind of jobs that replay letters; their subjects are ids. */
    public static final String REPLAY_JOB = "replay-letters";

    /** The kind of jobs that discard letters; their subjects are ids. */
    public static final String DISCARD_JOB = "discard-letters";

    /** The terms of a replay that takes letters older than the inbox remembers too. */
    public static final String EVEN_FORGOTTEN = "even-forgotten";

    /** Longer than any replay waits for its broker, so that nobody takes over what is under way. */
    private static final Duration ABANDONED = Duration.ofSeconds(60);

    private static final int PAGE = 50;

    private final DeadLetterStore store;
    private final Map<Address, DeadLetterQueue> queues;
    private final List<Lifecycle> collectors = new ArrayList<>();
    private final DeadLetterReplayer replays;
    private final AbandonedReplays abandoned;
    private final Clock clock;
    private final Duration remembered;
    private boolean running;

    private DeadLetters(Builder parts) {
        this.store = parts.store;
        this.queues = Map.copyOf(parts.queues);
        this.clock = parts.clock;
        this.remembered = parts.remembered;
        DeadLetterReporter reporter = new DeadLetterReporter(parts.listener);
        this.replays = new DeadLetterReplayer(store, queues, reporter);
        this.abandoned = new AbandonedReplays(() -> store.takeOver(parts.abandoned, PAGE), replays);
        DeadLetterSaver sink = new DeadLetterSaver(store, parts.errors, reporter);
        queues.values().forEach(queue -> collectors.add(queue.collect(sink)));
    }

    /** Starts with the table of letters. */
    public static Builder builder(DeadLetterStore store) {
        return new Builder(store);
    }

    /** Where letters of this source and group are collected and replayed. */
    record Address(String source, String group) {}

    /** Collects, and finishes what a crash left half replayed. */
    @Override
    public synchronized void start() {
        if (!running) {
            collectors.forEach(Lifecycle::start);
            abandoned.start();
            running = true;
        }
    }

    @Override
    public synchronized boolean stop(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        boolean inTime = true;
        for (Lifecycle collector : collectors) {
            inTime &= collector.stop(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
        inTime &= abandoned.stop(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        running = false;
        return inTime;
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** Letters in the order of their keeping; the next page begins after the last one's id. */
    public List<StoredLetter> list(Filter filter, int limit, long afterId) {
        return store.list(filter, limit, afterId);
    }

    /** The same without headers and bodies. */
    public List<LetterSummary> summaries(Filter filter, int limit, long afterId) {
        return store.summaries(filter, limit, afterId);
    }

    public long count(Filter filter) {
        return store.count(filter);
    }

    public Optional<StoredLetter> find(long id) {
        return store.find(id);
    }

    /** Changes an OPEN letter's body before its replay; false when there is no such letter. */
    public boolean edit(long id, byte[] body, OperatorDecision decision) {
        return store.edit(id, body, decision);
    }

    /** Settles OPEN letters without a replay; returns how many there were. */
    public int discard(List<Long> ids, OperatorDecision decision) {
        return store.discard(ids, decision);
    }

    /** What works off jobs that replay or discard letters. */
    public List<JobWorker> jobWorkers() {
        return List.of(new LetterReplayWorker(store, this), new LetterDiscardWorker(store));
    }

    /** When the inbox's memory begins: what was dead-lettered before needs an explicit yes. */
    public Instant memoryBegins() {
        return clock.instant().minus(remembered);
    }

    /** What a replay of this query would send. */
    public Preview preview(Filter filter) {
        Filter open = filter.withState(State.OPEN);
        return new Preview(store.count(open), store.count(open.before(memoryBegins())), store.list(open, PAGE, 0));
    }

    /** Sends letters back, and waits for the broker's answers. Letters that are not OPEN, and ids that no letter has, are refused. */
    public ReplayReport replay(List<Long> ids, ReplayRequest terms) throws InterruptedException {
        ReplayReport report = new ReplayReport();
        RateThrottle pace = new RateThrottle(terms.perSecond());
        for (int from = 0; from < ids.size() && !report.brokerGone(); from += PAGE) {
            List<Long> page = ids.subList(from, Math.min(ids.size(), from + PAGE));
            List<StoredLetter> letters = new ArrayList<>();
            for (Long id : page) {
                store.find(id).ifPresentOrElse(letters::add, () -> report.refused(id, "there is no such letter"));
            }
            replays.run(due(letters, terms, report), terms.decision(), pace, report);
        }
        return report;
    }

    /** Sends one letter back, whose turn it is. */
    ReplayReport replay(StoredLetter letter, ReplayRequest terms) throws InterruptedException {
        ReplayReport report = new ReplayReport();
        RateThrottle atOnce = new RateThrottle(terms.perSecond());
        replays.run(due(List.of(letter), terms, report), terms.decision(), atOnce, report);
        return report;
    }

    /** Sends back what the query finds now; what is dead-lettered meanwhile waits for the next replay. */
    public ReplayReport replay(Filter filter, ReplayRequest terms) throws InterruptedException {
        return replay(filter, 0, store.count(filter.withState(State.OPEN)), terms);
    }

    /** Sends back at most so many of what the query finds after this id; the report says where the next call begins. */
    public ReplayReport replay(Filter filter, long afterId, long most, ReplayRequest terms)
            throws InterruptedException {
        ReplayReport report = new ReplayReport();
        report.lookedAt(afterId);
        RateThrottle pace = new RateThrottle(terms.perSecond());
        Filter open = filter.withState(State.OPEN);
        long left = most;
        while (left > 0 && !report.brokerGone()) {
            List<StoredLetter> page = store.list(open, (int) Math.min(PAGE, left), report.lastId());
            if (page.isEmpty()) {
                break;
            }
            left -= page.size();
            report.lookedAt(page.get(page.size() - 1).id());
            replays.run(due(page, terms, report), terms.decision(), pace, report);
        }
        return report;
    }

    /**
     * Without an explicit yes, no letter so old that the inbox may have forgotten what became of its event since: it could take
     * effect twice. The age is the letter's own, since it was saved: until then nothing of this delivery had taken effect, and
     * what the sender wrote as the event's time says nothing about that.
     */
    private List<Long> due(List<StoredLetter> letters, ReplayRequest terms, ReplayReport report) {
        List<Long> due = new ArrayList<>();
        for (StoredLetter letter : letters) {
            if (terms.evenForgotten() || letter.deadAt().isAfter(memoryBegins())) {
                due.add(letter.id());
            } else {
                report.refused(
                        letter.id(),
                        "older than the inbox remembers (" + remembered.toDays()
                                + " days): it may have taken effect; say so in the replay's terms if it shall go all the same");
            }
        }
        return due;
    }

    /**
     * What a replay would do.
     *
     * @param letters how many would be sent
     * @param forgotten how many of them were saved longer ago than the inbox remembers
     * @param first the first ones
     */
    public record Preview(long letters, long forgotten, List<StoredLetter> first) {}

    /** Collects what the service needs. */
    public static final class Builder {

        private final DeadLetterStore store;
        private final Map<Address, DeadLetterQueue> queues = new LinkedHashMap<>();
        private @Nullable InboxStore errors;
        private Clock clock = Clock.systemUTC();
        private Duration remembered = Duration.ofDays(14);
        private Duration abandoned = ABANDONED;
        private DeadLetterListener listener = new DeadLetterListener() {};

        private Builder(DeadLetterStore store) {
            this.store = store;
        }

        /** Collects the dead letters of this subscription. */
        public Builder of(SubscriptionSpec spec, Subscriptions subscriptions) {
            queues.computeIfAbsent(
                    new Address(spec.source(), spec.group()), address -> subscriptions.deadLetters(spec));
            return this;
        }

        /** Where the reason of a failure is found when the broker does not know it. */
        public Builder errors(InboxStore errors) {
            this.errors = errors;
            return this;
        }

        /** How long the inbox keeps what it has done; 14 days by default. */
        public Builder remembered(Duration remembered) {
            this.remembered = remembered;
            return this;
        }

        /** When a replay that nobody confirmed counts as left behind by a crash; a minute by default. */
        public Builder abandonedAfter(Duration abandoned) {
            this.abandoned = abandoned;
            return this;
        }

        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        public Builder listener(DeadLetterListener listener) {
            this.listener = listener;
            return this;
        }

        public DeadLetters build() {
            return new DeadLetters(this);
        }
    }
}
