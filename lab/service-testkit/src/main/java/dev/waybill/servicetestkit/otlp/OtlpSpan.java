package dev.waybill.servicetestkit.otlp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A span as it was received. Field numbers are those of {@code opentelemetry/proto/trace/v1/trace.proto}.
 *
 * @param service the resource's {@code service.name}
 * @param parentSpanId empty for the first span of a trace
 * @param kind SERVER, CLIENT, PRODUCER, CONSUMER or INTERNAL
 * @param attributes those that are texts
 * @param isError whether its status is ERROR
 * @param error the status's message
 */
public record OtlpSpan(
        String service,
        String traceId,
        String spanId,
        String parentSpanId,
        String name,
        Kind kind,
        Map<String, String> attributes,
        boolean isError,
        String error) {

    /** In the order of their numbers. */
    public enum Kind {
        UNSPECIFIED,
        INTERNAL,
        SERVER,
        CLIENT,
        PRODUCER,
        CONSUMER
    }

    private static final int STATUS_ERROR = 2;

    /** The spans of an ExportTraceServiceRequest. */
    static List<OtlpSpan> of(ProtobufFields request) {
        return request.messages(1).stream().flatMap(OtlpSpan::ofResource).toList();
    }

    private static Stream<OtlpSpan> ofResource(ProtobufFields resourceSpans) {
        String service = resourceSpans.messages(1).stream()
                .map(resource -> attributes(resource, 1).getOrDefault("service.name", ""))
                .findFirst()
                .orElse("");
        return resourceSpans.messages(2).stream()
                .flatMap(scopeSpans -> scopeSpans.messages(2).stream())
                .map(span -> of(service, span));
    }

    private static OtlpSpan of(String service, ProtobufFields span) {
        List<ProtobufFields> status = span.messages(15);
        return new OtlpSpan(
                service,
                span.hex(1),
                span.hex(2),
                span.hex(4),
                span.text(5),
                Kind.values()[(int) span.number(6)],
                attributes(span, 9),
                status.stream().anyMatch(each -> each.number(3) == STATUS_ERROR),
                status.isEmpty() ? "" : status.get(0).text(2));
    }

    private static Map<String, String> attributes(ProtobufFields of, int number) {
        Map<String, String> attributes = new HashMap<>();
        for (ProtobufFields attribute : of.messages(number)) {
            attribute.messages(2).forEach(value -> attributes.put(attribute.text(1), value.text(1)));
        }
        return attributes;
    }

    /** Whether this span is a child of that one, in one trace. */
    public boolean isChildOf(OtlpSpan parent) {
        return traceId.equals(parent.traceId) && parentSpanId.equals(parent.spanId);
    }
}
