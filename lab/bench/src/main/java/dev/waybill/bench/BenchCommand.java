package dev.waybill.bench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./dev bench}: reads the command line, runs the bench, and reports. */
@Command(
        name = "./dev bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpWidth = 120,
        description = "Waybill, its peers and the raw limits side by side, in one run.",
        footer = {
            "The table goes to standard output, everything to lab/bench/results/latest.json. Rates belong to this machine;"
                    + " compare the ratios. On a machine that is busy otherwise, trust the CPU more than the clock.",
            "The exit code is 1 when a row of ours is not a result: something committed did not arrive or was not settled."
        })
public final class BenchCommand implements Callable<Integer> {

    private static final int EVENTS = 20_000;
    private static final int QUICK_EVENTS = 2_000;
    private static final int REPEATS = 3;
    private static final int SECONDS = 10;
    private static final int QUICK_SECONDS = 2;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--quick",
            description = "about 3 minutes, correctness only: small counts, PostgreSQL and MariaDB with classic queues")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description =
                    "only what has the text in workload, database, broker or contender; may be given several times, such"
                            + " as --only drain --only quorum. Contenders: raw-broker, no-event, plain-insert, dual-write, waybill,"
                            + " gruelbox, namastack, modulith")
    private List<String> only = List.of();

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "events in a backlog, " + EVENTS + " by default; peers get a quarter")
    private @Nullable Integer events;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "interleaved repeats after a warm-up, " + REPEATS + " by default")
    private @Nullable Integer repeats;

    @Option(names = "--seconds", paramLabel = "N", description = "length of a load, " + SECONDS + " by default")
    private @Nullable Double seconds;

    @Option(
            names = "--scale",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "divides the growth and search workloads' 1,000,000 and 5,000,000 rows and the 1,000,000 rows that the"
                            + " retention workload removes, 1 by default; at full size each case is measured once")
    private int scale;

    @Option(names = "--no-peers", description = "only Waybill and the limits; fetches nothing")
    private boolean noPeers;

    @Option(
            names = "--sweep",
            description =
                    "instead of everything: drain and steady load with each setting that a contender's settings file"
                            + " wants tried (sweep.…=a,b,c), on the first database and broker")
    private boolean sweep;

    @Option(names = "--page", description = "write docs/performance.md from this run")
    private boolean page;

    /** Exits explicitly, because the brokers' clients leave threads behind that would keep the process alive. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchCommand()).execute(arguments));
    }

    @Override
    public Integer call() {
        Options options = options();
        Machine machine;
        try {
            Machine.checkDisk(options.quick() ? 2 : 25);
            machine = Machine.here();
        } catch (Machine.TooSmallException e) {
            System.err.println("bench: " + e.getMessage());
            return 1;
        }
        ContenderProcess.forgetEarlierRuns();
        List<String> arguments = commandLine().getParseResult().originalArgs();
        String command = ("./dev bench " + String.join(" ", arguments)).strip();
        Results results =
                Bench.measure(options, found -> keep(new BenchRun(command, machine, found, options.quick()), options));
        return report(new BenchRun(command, machine, results, options.quick()));
    }

    Options options() {
        int wantedEvents = events != null ? events : quick ? QUICK_EVENTS : EVENTS;
        int wantedRepeats = repeats != null ? repeats : quick ? 1 : REPEATS;
        double wantedSeconds = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
        if (wantedEvents < 1 || wantedRepeats < 1 || scale < 1 || !(wantedSeconds > 0)) {
            throw new ParameterException(
                    commandLine(), "--events, --repeats and --scale are at least 1, --seconds is more than 0");
        }
        return new Options(quick, wantedEvents, wantedRepeats, wantedSeconds, only, scale, !noPeers, sweep, page);
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("this command was not started by picocli");
        }
        return spec.commandLine();
    }

    private static void keep(BenchRun run, Options options) {
        ResultsJson.write(run);
        if (options.page()) {
            PerformancePage.write(run);
        }
    }

    private static int report(BenchRun run) {
        System.out.println(PerformancePage.text(run));
        List<ResultRow> broken = run.results().broken();
        broken.forEach(row -> System.err.printf(
                Locale.ROOT,
                "bench: %s, %s, %s: %s%n",
                row.workload(),
                row.environment().title(),
                row.contender().id(),
                row.failure()));
        return broken.isEmpty() ? 0 : 1;
    }
}
