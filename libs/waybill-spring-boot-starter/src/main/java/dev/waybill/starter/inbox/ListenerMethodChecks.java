package dev.waybill.starter.inbox;

import dev.waybill.message.Event;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

    /** What JSON can become among the types of the JDK. */
    private static final List<Class<?>> VALUES = List.of(
            CharSequence.class,
            Number.class,
            Boolean.class,
            Character.class,
            Enum.class,
            Iterable.class,
            Map.class,
            Optional.class,
            UUID.class,
            Date.class,
            Calendar.class,
            Locale.class,
            Currency.class,
            TemporalAccessor.class,
            TemporalAmount.class,
            ZoneId.class,
            URI.class,
            URL.class);

    /** Types from here are parts of a program and never a payload, although a JSON library may try to fill them. */
    private static final List<String> NO_PAYLOADS = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "org.slf4j.",
            "org.springframework.",
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
        return value.isPrimitive()
                || value == Object.class
                || VALUES.stream().anyMatch(allowed -> allowed.isAssignableFrom(value))
                || NO_PAYLOADS.stream().noneMatch(value.getName()::startsWith);
    }
}
