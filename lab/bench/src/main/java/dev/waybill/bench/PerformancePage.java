package dev.waybill.bench;

import dev.waybill.servers.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** {@code docs/performance.md}, and the same on standard output. */
final class PerformancePage {

    private static final String HEAD = """
            # Performance

            Written by the command below, from one run: don't edit. Everything ran on one machine: servers, contenders (a process
            each) and the reader. Databases flush at every commit, queues are durable, messages persistent and confirmed,
            RocketMQ flushes before it answers. Rates belong to the machine; the ratios are what to compare. A row appears only if
            the set of events that arrived equals the set committed and every row is settled; medians of interleaved repeats, after a
            warm-up that ends when the contender's compilers are quiet.

            Everybody's settings are in files: [Waybill and the limits](../lab/bench/settings), peers
            ([gruelbox](../lab/peers/gruelbox/settings.properties), [namastack](../lab/peers/namastack/settings.properties),
            [Modulith](../lab/peers/modulith/settings.properties)), chosen by `./dev bench --sweep`. `./dev bench-micro` measures
            the small steps of the hot path alone. [怎样读这一页](performance.zh-CN.md)
            """;

    private PerformancePage() {}

    static String text(BenchRun run) {
        StringBuilder text = new StringBuilder(HEAD);
        text.append("\n- Command: `").append(run.command()).append("`\n");
        text.append("- Commit: ")
                .append(System.getProperty("bench.commit", "unknown"))
                .append("\n");
        text.append("- Machine: ").append(run.machine().text()).append("\n");
        text.append(StatementsTable.text(run.results()));
        text.append(expectations(run));
        text.append(ResultTables.tables(run.results()));
        return text.toString();
    }

    private static String expectations(BenchRun run) {
        if (run.expectations().isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("""

                ## What is wanted, and what this run says

                | | wanted | this run | holds |
                | --- | --: | --: | --- |
                """);
        run.expectations().forEach(expectation -> text.append(expectation.line()));
        return text.toString();
    }

    static void write(BenchRun run) {
        try {
            Files.writeString(Checkout.root().resolve("docs/performance.md"), text(run));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
