package dev.waybill.faults;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.ReplayRequest;
import dev.waybill.jdbc.JdbcJobStore;
import dev.waybill.job.Jobs;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.DeadLetterStore.Filter;
import java.time.Duration;

/**
 * Collects dead letters in a process of its own; with {@code replay=1} it sends back all that are there, with {@code leaseMs} it works
 * jobs off.
 */
final class DeadLetterProcess {

    /** The application to which the jobs belong. */
    static final String SCOPE = "shop";

    private DeadLetterProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        NodeSettings spec = NodeSettings.parse(arguments);
        // the subscription is never started, because this process only collects and replays dead letters
        ConsumerNode node = new ConsumerNode(spec, (connection, event) -> HandlerResult.DONE);
        DeadLetters letters = node.letters()
                .abandonedAfter(Duration.ofMillis(spec.number("abandonedMs", 60_000)))
                .build();
        letters.start();
        int lease = spec.number("leaseMs", 0);
        if (lease > 0) {
            new Jobs(new JdbcJobStore(node.dataSource), SCOPE, letters.jobWorkers(), Duration.ofMillis(lease)).start();
        }
        System.out.println("READY");
        if (spec.number("replay", 0) == 1) {
            ReplayRequest terms = ReplayRequest.by("ops", "all of them").atMost(spec.number("rate", 50));
            System.out.println(
                    "REPLAYED " + letters.replay(Filter.any(), terms).replayed().size());
        }
        Thread.currentThread().join();
    }
}
