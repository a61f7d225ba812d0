package dev.waybill.guard.boot;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Scenarios for Lincheck, written down: time that passes while a call is under way is too rare among random ones. */
final class LincheckScenario {

    private LincheckScenario() {}

    static Actor call(Class<?> test, String operation, Integer... arguments) {
        Method method = Arrays.stream(test.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(operation))
                .findFirst()
                .orElseThrow();
        return new Actor(method, List.of(arguments));
    }

    /** Two threads between a first and a last call. */
    static ExecutionScenario of(Actor first, List<Actor> one, List<Actor> other, Actor last) {
        return new ExecutionScenario(List.of(first), List.of(one, other), List.of(last), null);
    }

    static void check(Class<?> test, ExecutionScenario timePasses) {
        new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .addCustomScenario(timePasses)
                .check(test);
    }
}
