package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Destination;
import dev.waybill.servers.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Two topics under paced load by one relay, one of them refused for a while, and what was seen of both. */
final class RefusedTopicLoad implements AutoCloseable {

    private static final int SECONDS = Scenario.length(180, 12);
    private static final int SECONDS_BEFORE = Scenario.length(20, 3);
    private static final int PER_SECOND = Scenario.length(100, 50);
    private static final int OTHERS_PER_SECOND = Scenario.length(500, 100);
    private static final int RECOVERY_SECONDS = Scenario.length(10, 60);

    /** So long a relay may take to see that a topic refuses everything. */
    private static final int FIRST_SECONDS = 5;

    private static final double SENDS_PER_SECOND = 20;

    /** So many refusals in a row make a topic count as down; each of these events has spent an attempt. */
    private static final int REFUSALS = 20;

    /** Shortened, among other tests, a server that has just started may stall for as long as a refusal takes. */
    private static final int MOST_OUTAGES = Scenario.length(1, 3);

    private static final String TRIED = "SELECT event_id FROM waybill_outbox WHERE attempts > 0";
    private static final String UNSENT = "SELECT event_id FROM waybill_outbox WHERE status <> 'SENT'";

    private final RelayTestEnvironment environment;
    private final Arrivals otherArrivals;
    private final Outages outages = new Outages();
    private final RelayNode node;
    private final Producers producers;
    private final Producers others;
    private double rateBefore;

    /** @param environment its topic will be refused, and its consumer gets every copy that was sent, refused or not */
    RefusedTopicLoad(RelayTestEnvironment environment, Destination other, Arrivals otherArrivals) {
        this.environment = environment;
        this.otherArrivals = otherArrivals;
        this.node = new RelayNode(environment.spec, outages, Checkpoints.NONE);
        node.relay.start();
        this.producers = new Producers(node, 1, Integer.MAX_VALUE, PER_SECOND).start();
        this.others = new Producers(
                        node,
                        2,
                        Integer.MAX_VALUE,
                        OTHERS_PER_SECOND,
                        () -> Producers.event().toBuilder().destination(other).build())
                .start();
    }

    void flows() throws InterruptedException {
        await().atMost(Duration.ofMinutes(1))
                .until(() ->
                        environment.arrivals.distinct() > PER_SECOND && otherArrivals.distinct() > OTHERS_PER_SECOND);
        ArrivalRate rate = new ArrivalRate(otherArrivals);
        TimeUnit.SECONDS.sleep(SECONDS_BEFORE); // the measure itself
        rate.look();
        rateBefore = rate.after(0);
    }

    void isRefusedBy(Runnable fault) throws InterruptedException {
        List<String> triedBefore = environment.texts(TRIED);
        fault.run();
        ArrivalRate sends = new ArrivalRate(environment.arrivals);
        ArrivalRate others = new ArrivalRate(otherArrivals);
        double down = watchUntilDown(sends, others);
        Set<String> beforeDown = new HashSet<>(producers.committed());
        while (sends.seconds() < Math.max(SECONDS, down + FIRST_SECONDS)) {
            watchASecond(sends, others);
        }
        List<String> waiting = new ArrayList<>(producers.committed());
        waiting.removeAll(beforeDown);
        List<String> tried = new ArrayList<>(environment.texts(TRIED));
        tried.removeAll(triedBefore); // a moment's stall of a server that has just started
        environment.print(
                "refused for %.0f s: %s after %.1f s; sends %d in the first %d s, then %.2f a second, at most %.1f",
                sends.seconds(),
                outages.downs,
                down,
                sends.countUntil(FIRST_SECONDS),
                FIRST_SECONDS,
                sends.after(FIRST_SECONDS),
                sends.mostAfter(FIRST_SECONDS));
        double ratio = others.after(FIRST_SECONDS) / Math.max(rateBefore, OTHERS_PER_SECOND);
        environment.print(
                "another topic: %.0f/s before, %.0f/s during, ratio %.2f, slowest five seconds %.0f/s",
                rateBefore, others.after(FIRST_SECONDS), ratio, others.least(5));
        environment.print("waiting %d; attempts spent by %d events before", waiting.size(), tried.size());
        assertThat(outages.downs).as("alerts").hasSizeLessThanOrEqualTo(MOST_OUTAGES);
        assertThat(outages.ups).as("ends of outages").hasSize(outages.downs.size() - 1);
        assertThat(sends.mostAfter(FIRST_SECONDS)).as("sends a second").isLessThanOrEqualTo(SENDS_PER_SECOND);
        assertThat(waiting).isNotEmpty().noneMatch(tried::contains);
        assertThat(tried).hasSizeLessThanOrEqualTo(REFUSALS);
        assertThat(environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE attempts > 1"))
                .isZero();
        assertThat(ratio).as("another topic's rate").isGreaterThanOrEqualTo(Scenario.isWhole() ? 0.8 : 0.1);
    }

    private double watchUntilDown(ArrivalRate sends, ArrivalRate others) throws InterruptedException {
        while (outages.downs.isEmpty()) {
            assertThat(sends.seconds()).as("seconds without an alert").isLessThan(60);
            watchASecond(sends, others);
        }
        return sends.seconds();
    }

    private static void watchASecond(ArrivalRate sends, ArrivalRate others) throws InterruptedException {
        TimeUnit.SECONDS.sleep(1); // the refusal itself, watched
        sends.look();
        others.look();
    }

    /** @param destination where everything must arrive */
    void recoversAfter(Runnable end, Arrivals destination) {
        end.run();
        long ended = System.nanoTime();
        Set<String> waited = Set.copyOf(producers.committed());
        int unsent = environment.texts(UNSENT).size();
        await().pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofMinutes(2))
                .until(() ->
                        destination.distinct() >= waited.size() // cheap, so that the wait costs the servers nothing
                                && destination.ids().containsAll(waited)
                                && Collections.disjoint(waited, environment.texts(UNSENT)));
        double seconds = (System.nanoTime() - ended) / 1e9;
        producers.stop();
        others.stop();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> environment.texts(UNSENT).isEmpty());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> destination.distinct() >= producers.committed().size()
                        && otherArrivals.distinct() >= others.committed().size());
        environment.print(
                "recovery: %d waiting events there %.1f s after the end; committed %d + %d, repeats %d + %d",
                unsent,
                seconds,
                producers.committed().size(),
                others.committed().size(),
                destination.repeats(),
                otherArrivals.repeats());
        assertThat(seconds).as("seconds until recovery").isLessThan(RECOVERY_SECONDS);
        LongLists.assertSame(destination.ids(), producers.committed());
        LongLists.assertSame(otherArrivals.ids(), others.committed());
        assertThat(environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'DEAD'"))
                .isZero();
        assertThat(producers.failures()).isEmpty();
        assertThat(others.failures()).isEmpty();
        await("the last outage's end")
                .atMost(Duration.ofMinutes(1))
                .until(() -> outages.ups.size() == outages.downs.size());
        assertThat(outages.downs).as("alerts").hasSizeLessThanOrEqualTo(MOST_OUTAGES);
    }

    @Override
    public void close() {
        producers.close();
        others.close();
        node.close();
    }
}
