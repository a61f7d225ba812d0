package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ServersExtension.class)
class ChildJvmTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void linesArriveInOrderAndTheExitCodeIsKept(ChildJvms jvms) {
        var child = jvms.start(Greeter.class, "Ada", "Grace");
        assertThat(child.waitForLine("hello", SOON)).isEqualTo("hello Ada");
        assertThat(child.waitForLine("hello", SOON)).isEqualTo("hello Grace");
        assertThat(child.exitCode()).isEmpty();
        child.println("end");
        assertThat(child.waitForExit(SOON)).isEqualTo(3);
        assertThat(child.lines()).endsWith("bye");
    }

    @Test
    void aMissingLineSaysWhatWasPrintedInstead(ChildJvms jvms) {
        var child = jvms.start(Greeter.class, "Ada");
        child.waitForLine("hello", SOON);
        assertThatThrownBy(() -> child.waitForLine("never printed", Duration.ofMillis(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("never printed")
                .hasMessageContaining("hello Ada");
        child.kill9();
        assertThatThrownBy(() -> child.waitForLine("never printed", SOON)).hasMessageContaining("before its end");
        assertThat(child.exitCode()).hasValue(137);
    }

    @Test
    void aPausedChildSaysNothingUntilItIsResumed(ChildJvms jvms) {
        var child = jvms.start(Greeter.class, "Ada");
        child.waitForLine("hello", SOON);
        child.pause();
        child.println("end");
        assertThatThrownBy(() -> child.waitForLine("bye", Duration.ofMillis(300)))
                .isInstanceOf(AssertionError.class);
        child.resume();
        child.waitForLine("bye", SOON);
    }

    @Test
    void terminateLetsShutdownHooksRun(ChildJvms jvms) {
        var child = jvms.start(Greeter.class, "Ada");
        child.waitForLine("hello", SOON);
        child.terminate();
        child.waitForLine("shutting down", SOON);
        assertThat(child.waitForExit(SOON)).isEqualTo(143);
    }

    @Test
    void theGrandchildOfAKilledParentEndsToo(ChildJvms jvms) {
        var parent = jvms.start(Parent.class);
        var grandchild = Long.parseLong(parent.waitForLine("grandchild ", SOON).substring("grandchild ".length()));
        assertThat(ProcessHandle.of(grandchild)).isPresent();
        parent.kill9();
        Awaitility.await()
                .atMost(20, TimeUnit.SECONDS)
                .until(() -> ProcessHandle.of(grandchild).isEmpty());
    }

    static final class Greeter {
        public static void main(String[] names) throws IOException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("shutting down")));
            for (var name : names) {
                System.out.println("hello " + name);
            }
            System.in.read();
            System.out.println("bye");
            Runtime.getRuntime().halt(3);
        }
    }

    static final class Parent {
        public static void main(String[] none) throws IOException {
            var child = ChildJvm.of(Greeter.class).arguments("Ada").start();
            child.waitForLine("hello", SOON);
            System.out.println("grandchild " + child.pid());
            System.in.read();
        }
    }
}
