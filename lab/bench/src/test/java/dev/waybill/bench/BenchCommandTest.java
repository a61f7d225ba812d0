package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static Options parse(String... arguments) {
        BenchCommand command = new BenchCommand();
        new CommandLine(command).parseArgs(arguments);
        return command.options();
    }

    private int execute(String... arguments) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void everyOptionHasItsDefault() {
        assertThat(parse()).isEqualTo(new Options(false, 20_000, 3, 10, List.of(), 1, true, false, false));
    }

    @Test
    void quickChangesTheDefaultsButNotWhatIsAskedFor() {
        assertThat(parse("--quick", "--no-peers"))
                .isEqualTo(new Options(true, 2_000, 1, 2, List.of(), 1, false, false, false));
        assertThat(parse("--repeats", "5", "--quick", "--events", "10", "--seconds", "0.5"))
                .isEqualTo(new Options(true, 10, 5, 0.5, List.of(), 1, true, false, false));
    }

    @Test
    void onlyMayBeGivenSeveralTimesInAnyCase() {
        Options options = parse("--only", "drain", "--only", "RabbitMQ classic", "--scale", "10", "--sweep", "--page");

        assertThat(options)
                .isEqualTo(
                        new Options(false, 20_000, 3, 10, List.of("drain", "rabbitmq classic"), 10, true, true, true));
        assertThat(options.wants("RabbitMQ classic", List.of("RabbitMQ classic", "RocketMQ")))
                .isTrue();
        assertThat(options.wants("RocketMQ", List.of("RabbitMQ classic", "RocketMQ")))
                .isFalse();
    }

    @Test
    void helpTellsEveryOption() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString())
                .contains("--quick", "--only", "--events", "--repeats", "--seconds", "--scale", "--no-peers", "--sweep")
                .contains("--page", "Usage: ./dev bench");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--events x", "--events", "--events 0", "--repeats 0", "--seconds 0", "--scale 0", "--fast"})
    void aWrongCommandLineEndsWithTwoAndWithoutAStackTrace(String arguments) {
        assertThat(execute(arguments.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).contains(arguments.split(" ", -1)[0]).doesNotContain("\tat ", "Exception");
    }
}
