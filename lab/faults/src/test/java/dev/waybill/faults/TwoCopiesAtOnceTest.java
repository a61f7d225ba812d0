package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Two copies of one event meet in two processes: one takes effect, the other waits and is a repeat then. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
class TwoCopiesAtOnceTest {

    private static final int EVENTS = 96;
    private static final int HANDS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void oneOfTwoTakesEffectOnMariaDbAndRocketMq(MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            meet(environment, jvms);
        }
    }

    @Test
    void oneOfTwoTakesEffectOnPostgreSqlAndRabbitMq(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            meet(environment, jvms);
        }
    }

    private static void meet(ConsumerTestEnvironment environment, ChildJvms jvms) {
        // one thread for each copy that may wait, and work that is long enough for the copies to meet
        String[] arguments = environment
                .spec
                .with("tell", 1)
                .with("workMs", 150)
                .with("concurrency", HANDS)
                .with("prefetch", 1)
                .arguments();
        List<ChildJvm> processes =
                List.of(jvms.start(ConsumerProcess.class, arguments), jvms.start(ConsumerProcess.class, arguments));
        processes.forEach(process -> process.waitForLine("READY", PATIENCE));
        List<String> ids = new ArrayList<>();
        while (ids.size() < EVENTS) {
            List<Event> few = new ArrayList<>();
            for (int j = 0; j < HANDS; j++) {
                Event event = Producers.event();
                ids.add(event.eventId());
                few.add(event);
            }
            environment.send(few); // one for each hand of one process, or to one queue
            environment.send(few.subList(0, HANDS / 2)); // the copies for the other's, or to the next queues,
            environment.send(few.subList(HANDS / 2, HANDS)); // three each round, so that the queues' owners alternate
            await().atMost(PATIENCE).until(() -> heard(processes).size() >= ids.size());
        }
        await().atMost(PATIENCE).until(() -> heard(processes).values().stream().allMatch(words -> words.size() >= 2));

        Map<String, Set<String>> heard = heard(processes);
        long met = heard.values().stream().filter(TwoCopiesAtOnceTest::inBoth).count();
        environment.print("%d events came twice, %d of them to both processes", EVENTS, met);
        assertThat(met).isGreaterThan(EVENTS / 10);
        assertThat(heard.values()).allSatisfy(words -> {
            assertThat(words).filteredOn(word -> word.startsWith("CONSUMED")).hasSize(1);
            assertThat(words)
                    .anyMatch(word -> word.startsWith("REPEATED")); // more than once if the broker repeats itself
        });
        assertThat(environment.tables.texts("SELECT event_id FROM effect")).containsExactlyInAnyOrderElementsOf(ids);
    }

    private static boolean inBoth(Set<String> words) {
        return words.stream()
                        .map(word -> word.substring(word.length() - 1))
                        .distinct()
                        .count()
                == 2;
    }

    /** By event: what each process said of it. */
    private static Map<String, Set<String>> heard(List<ChildJvm> processes) {
        Map<String, Set<String>> heard = new HashMap<>();
        for (int i = 0; i < processes.size(); i++) {
            for (String line : processes.get(i).lines()) {
                if (line.startsWith("CONSUMED ") || line.startsWith("REPEATED ")) {
                    String[] words = line.split(" ", -1);
                    heard.computeIfAbsent(words[1], id -> new TreeSet<>()).add(words[0] + " by " + i);
                }
            }
        }
        return heard;
    }
}
