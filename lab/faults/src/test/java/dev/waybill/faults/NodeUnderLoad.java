package dev.waybill.faults;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** A node whose producers go on whatever happens, and whose threads are in a group of their own, apart from other nodes'. */
final class NodeUnderLoad implements AutoCloseable {

    private static final int PER_SECOND = 100;

    final RelayTestEnvironment environment;
    final RelayNode node;
    final Producers producers;
    private final ThreadGroup threads;

    NodeUnderLoad(RelayTestEnvironment environment) {
        this.environment = environment;
        this.threads = new ThreadGroup(environment.name);
        this.node = startedIn(threads, environment.spec.with("connectionMs", 5_000)); // as the starter has it
        this.producers = new Producers(node, 2, Integer.MAX_VALUE, PER_SECOND).start();
        await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() > 2 * PER_SECOND);
    }

    private static RelayNode startedIn(ThreadGroup threads, NodeSettings spec) {
        FutureTask<RelayNode> start = new FutureTask<>(() -> {
            RelayNode node = new RelayNode(spec);
            node.relay.start();
            return node;
        });
        new Thread(threads, start, "start").start();
        try {
            return start.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Names of Waybill's threads that live. */
    List<String> waybillThreads() {
        Thread[] live = new Thread[threads.activeCount() + 100];
        int many = threads.enumerate(live);
        return Stream.of(live)
                .limit(many)
                .map(Thread::getName)
                .filter(name -> name.startsWith("waybill"))
                .toList();
    }

    /** What the database kept is what the broker got, and every row says so. */
    List<String> awaitAllSent() {
        List<String> committed = environment.texts("SELECT id FROM business");
        await().atMost(Duration.ofMinutes(2)).until(() -> environment.count(RelayTestEnvironment.UNSENT) == 0);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> environment.arrivals.ids().containsAll(committed));
        return committed;
    }

    /** The node first: its pool ends connections on which producers wait for an answer. */
    @Override
    public void close() {
        node.close();
        producers.close();
        environment.close();
    }
}
