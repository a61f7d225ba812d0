package dev.waybill.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the command line asks for.
 *
 * @param only texts; a part of the run takes place when each occurs in its workload, ground or contender
 */
record Options(
        boolean quick,
        int events,
        int repeats,
        double seconds,
        List<String> only,
        int scale,
        boolean peers,
        boolean sweep,
        boolean page) {

    static final String USAGE = """
            Usage: ./dev bench [--quick] [--only TEXT]… [--events N] [--repeats N] [--seconds N] [--scale N] [--no-peers] [--sweep]
                               [--page]
              --quick       about 3 minutes, correctness only: small counts, PostgreSQL and MariaDB with classic queues
              --only TEXT   only what has the text in workload, database, broker or contender; may be given several times,
                            such as --only drain --only quorum. Contenders: raw-broker, no-event, plain-insert, dual-write,
                            waybill, gruelbox, namastack, modulith
              --events N    events in a backlog, 20000 by default; peers get a quarter
              --repeats N   interleaved repeats after a warm-up, 3 by default
              --seconds N   length of a load, 10 by default
              --scale N     divides the growth workload's 1,000,000 waiting and 5,000,000 retained rows, 1 by default; at full size
                            each case is measured once
              --no-peers    only Waybill and the limits; fetches nothing
              --sweep       instead of everything: drain and steady load with each setting that a contender's settings file
                            wants tried (sweep.…=a,b,c), on the first database and broker
              --page        write docs/performance.md from this run
            The table goes to standard output, everything to lab/bench/results/latest.json. Rates belong to this machine;
            compare the ratios. On a machine that is busy otherwise, trust the CPU more than the clock.
            The exit code is 1 when a row of ours is not a result: something committed did not arrive or was not settled.""";

    static Options parse(String[] arguments) {
        boolean quick = List.of(arguments).contains("--quick");
        int scale = 1;
        boolean peers = true;
        boolean sweep = false;
        boolean page = false;
        int events = quick ? 2_000 : 20_000;
        int repeats = quick ? 1 : 3;
        double seconds = quick ? 2 : 10;
        List<String> only = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--quick" -> {}
                case "--no-peers" -> peers = false;
                case "--sweep" -> sweep = true;
                case "--page" -> page = true;
                case "--events" -> events = Integer.parseInt(value(arguments, ++i));
                case "--repeats" -> repeats = Integer.parseInt(value(arguments, ++i));
                case "--seconds" -> seconds = Double.parseDouble(value(arguments, ++i));
                case "--scale" -> scale = Integer.parseInt(value(arguments, ++i));
                case "--only" -> only.add(value(arguments, ++i).toLowerCase(Locale.ROOT));
                default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
            }
        }
        return new Options(quick, events, repeats, seconds, List.copyOf(only), scale, peers, sweep, page);
    }

    /** Whether a text of --only that belongs to this list of names rules this one out. */
    boolean wants(String name, List<String> all) {
        List<String> mine = only.stream()
                .filter(text -> all.stream().anyMatch(one -> has(one, text)))
                .toList();
        return mine.isEmpty() || mine.stream().anyMatch(text -> has(name, text));
    }

    private static boolean has(String name, String text) {
        return name.toLowerCase(Locale.ROOT).contains(text);
    }

    private static String value(String[] arguments, int at) {
        if (at >= arguments.length) {
            throw new IllegalArgumentException(arguments[at - 1] + " needs a value");
        }
        return arguments[at];
    }
}
