package dev.waybill.starter.inbox;

import dev.waybill.message.Event;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/** Refuses methods that would start and then work against what the annotation promises. */
final class ListenerMethodChecks {

    private static final TransactionAttributeSource TRANSACTIONS = new AnnotationTransactionAttributeSource(false);

    /** Those under which the method's own statements are no part of the transaction that it is called in. */
    private static final Map<Integer, String> OUTSIDE = Map.of(
            TransactionDefinition.PROPAGATION_REQUIRES_NEW, "REQUIRES_NEW",
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED, "NOT_SUPPORTED",
            TransactionDefinition.PROPAGATION_NEVER, "NEVER");

    /** What the JDK has of these, and of what extends them, is part of a program; a class of the application may be one. */
    private static final List<Class<?>> PARTS_OF_THE_JDK = List.of(
            AutoCloseable.class, // streams, readers, connections and statements
            Callable.class,
            ClassLoader.class,
            DataSource.class,
            Executor.class,
            Future.class,
            Runnable.class); // threads, too

    /** Types from here are parts of a program and never a payload, although a JSON library may try to fill them. */
    private static final List<String> NO_PAYLOADS = List.of(
            "jakarta.jms.",
            "jakarta.persistence.",
            "jakarta.servlet.",
            "org.slf4j.",
            "org.springframework.amqp.",
            "org.springframework.beans.",
            "org.springframework.context.",
            "org.springframework.core.env.",
            "org.springframework.jdbc.",
            "org.springframework.messaging.",
            "org.springframework.transaction.",
            "com.rabbitmq.",
            "org.apache.rocketmq.",
            "dev.waybill.message.",
            "dev.waybill.transport.");

    private ListenerMethodChecks() {}

    static void check(String bean, Method method, Class<?> type) {
        Arrays.stream(method.getParameterTypes())
                .filter(parameter -> parameter != Event.class && !canBePayload(parameter))
                .findFirst()
                .ifPresent(parameter -> {
                    throw ListenerMethod.refused(
                            bean,
                            method,
                            "it takes a " + parameter.getName() + ", and no event's payload becomes one",
                            "Let it take the payload as a class of yours, a Map or a String, the"
                                    + " dev.waybill.message.Event, or both.",
                            null);
                });
        TransactionAttribute transaction = TRANSACTIONS.getTransactionAttribute(method, type);
        String outside = transaction == null ? null : OUTSIDE.get(transaction.getPropagationBehavior());
        if (outside != null) {
            throw ListenerMethod.refused(
                    bean,
                    method,
                    "its @Transactional says " + outside
                            + ", so what it writes would not commit together with the inbox's row",
                    "Take " + outside
                            + " off the method and its class; what must commit by itself belongs into a method of"
                            + " another bean that the listener calls.",
                    null);
        }
    }

    private static boolean canBePayload(Class<?> type) {
        Class<?> value = type.isArray() ? type.getComponentType() : type;
        boolean ofTheJdk =
                value.getName().startsWith("java.") || value.getName().startsWith("javax.");
        return NO_PAYLOADS.stream().noneMatch(value.getName()::startsWith)
                && !(ofTheJdk && PARTS_OF_THE_JDK.stream().anyMatch(part -> part.isAssignableFrom(value)));
    }
}
