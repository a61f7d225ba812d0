package dev.waybill.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;

/**
 * The contender's process: one command per line on standard input, one answer per line on standard output, marked by
 * {@code "= "}. It ends when the input does, so also when the bench was killed.
 */
public final class ContenderMain {

    private static final int FILL_BATCH = 500;

    private final Contender contender;

    private ContenderMain(Contender contender) {
        this.contender = contender;
    }

    /** The main method of every contender: its arguments are the settings file and the file that says where to connect. */
    public static void run(Contender contender, String[] arguments) {
        try {
            perform(contender, arguments);
            System.exit(0); // whatever threads the contender left
        } catch (IOException | SQLException | InterruptedException | RuntimeException | LinkageError e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void perform(Contender contender, String[] arguments)
            throws IOException, SQLException, InterruptedException {
        Properties all = new Properties();
        for (String file : arguments) {
            try (var reader = Files.newBufferedReader(Path.of(file))) {
                all.load(reader);
            }
        }
        ContenderConfig config = ContenderConfig.of(all);
        if (!"shared".equals(all.getProperty("connect.database"))) {
            createOrders(config);
        }
        contender.open(config);
        new ContenderMain(contender).obey();
    }

    private static void createOrders(ContenderConfig config) throws SQLException {
        try (HikariDataSource pool = config.pool();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(BenchOrder.TABLE);
        }
    }

    private void obey() throws IOException, SQLException, InterruptedException {
        answer("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("quit")) {
                break;
            }
            answer(obey(words));
        }
        contender.close();
    }

    private String obey(String[] words) throws IOException, SQLException, InterruptedException {
        return switch (words[0]) {
            case "fill" -> fill(Long.parseLong(words[1]), Integer.parseInt(words[2]));
            case "relay" -> relay(words[1].equals("on"));
            case "drain" -> drain(Integer.parseInt(words[1]), Double.parseDouble(words[2]));
            case "produce" -> produce(words);
            case "settle" -> settle(System.nanoTime(), Double.parseDouble(words[1]));
            case "compiled" -> "seconds=" + compiledSeconds();
            case "unsettled" -> "unsettled=" + contender.unsettled();
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        };
    }

    private String fill(long first, int count) throws SQLException {
        long begin = System.nanoTime();
        for (int done = 0; done < count; done += FILL_BATCH) {
            List<BenchOrder> orders = new ArrayList<>();
            for (int i = done; i < Math.min(count, done + FILL_BATCH); i++) {
                orders.add(new BenchOrder(first + i));
            }
            contender.commit(orders);
        }
        return seconds(begin);
    }

    private String relay(boolean on) {
        if (on) {
            contender.startRelay();
        } else {
            contender.stopRelay();
        }
        return "done";
    }

    /** Starts the relay and waits until so many events are out and every row says so. */
    private String drain(int count, double patience) throws SQLException {
        long counted = contender.sent();
        long begin = System.nanoTime();
        contender.startRelay();
        while (contender.sent() - counted < count && System.nanoTime() - begin < patience * 1e9) {
            LockSupport.parkNanos(1_000_000);
        }
        String out = seconds(begin); // before the rows are counted, which takes its time on a large table
        return contender.unsettled() == 0 ? out + " unsettled=0" : settle(begin, patience);
    }

    private String settle(long begin, double patience) throws SQLException {
        while (contender.unsettled() > 0) {
            if (System.nanoTime() - begin > patience * 1e9) {
                return seconds(begin) + " unsettled=" + contender.unsettled();
            }
            LockSupport.parkNanos(5_000_000);
        }
        return seconds(begin) + " unsettled=0";
    }

    /** {@code produce first threads rate seconds file}. */
    private String produce(String[] words) throws IOException, InterruptedException {
        CommitTimes production = new Producers(contender, Long.parseLong(words[1]))
                .run(Integer.parseInt(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4]));
        production.write(Path.of(words[5]));
        return production.answer();
    }

    /** How long the compilers have worked so far, which tells when a process is warm. */
    private static double compiledSeconds() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null ? 0 : compilers.getTotalCompilationTime() / 1e3;
    }

    private static String seconds(long begin) {
        return String.format(Locale.ROOT, "seconds=%.6f", (System.nanoTime() - begin) / 1e9);
    }

    private static void answer(String text) {
        System.out.println("= " + text);
        System.out.flush();
    }
}
