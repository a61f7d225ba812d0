package dev.waybill.starter.admin;

import dev.waybill.alert.ErrorGroup;
import dev.waybill.store.FailedAttempt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Errors that differ only in numbers and ids.
 *
 * @param events how many events they befell
 * @param example the id of one of those
 */
record ErrorLine(String error, int attempts, long events, Instant first, Instant last, String example) {

    /** The most frequent first. */
    static List<ErrorLine> of(List<FailedAttempt> latestFirst) {
        Map<String, List<FailedAttempt>> groups = new LinkedHashMap<>();
        latestFirst.forEach(attempt -> groups.computeIfAbsent(ErrorGroup.of(attempt.error()), name -> new ArrayList<>())
                .add(attempt));
        return groups.entrySet().stream()
                .map(group -> of(group.getKey(), group.getValue()))
                .sorted(Comparator.comparingInt(ErrorLine::attempts).reversed())
                .toList();
    }

    private static ErrorLine of(String error, List<FailedAttempt> latestFirst) {
        return new ErrorLine(
                error,
                latestFirst.size(),
                latestFirst.stream().map(FailedAttempt::eventId).distinct().count(),
                latestFirst.get(latestFirst.size() - 1).failedAt(),
                latestFirst.get(0).failedAt(),
                latestFirst.get(0).eventId());
    }
}
