package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.marketplace.domain.Credit;
import dev.waybill.marketplace.domain.CreditRepository;
import dev.waybill.marketplace.domain.Notification;
import dev.waybill.marketplace.domain.NotificationRepository;
import dev.waybill.servicekit.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A user's notifications and credit over HTTP: for the user and for operators; to everybody else there is no such user. */
@Tag(name = "Users")
@RestController
@RequestMapping("/users/{id}")
class UserController {

    private final CreditRepository credits;
    private final NotificationRepository notifications;

    UserController(CreditRepository credits, NotificationRepository notifications) {
        this.credits = credits;
        this.notifications = notifications;
    }

    @Operation(summary = "What a user was told, newest first; the next page begins before the last one's id")
    @GetMapping("/notifications")
    Answer<List<Notification>> notifications(
            @PathVariable String id,
            @RequestParam(required = false) @Positive @Nullable Long before,
            @RequestParam(defaultValue = "20") @Min(1) @Max(100) int size,
            Caller caller) {
        return Answer.ok(notifications.ofUser(visible(id, caller), before == null ? Long.MAX_VALUE : before, size));
    }

    @Operation(summary = "A buyer's credit")
    @GetMapping("/credit")
    Answer<Credit> credit(@PathVariable String id, Caller caller) {
        long buyerId = visible(id, caller);
        return Answer.ok(credits.find(buyerId).orElseGet(() -> Credit.fresh(buyerId)));
    }

    private static long visible(String id, Caller caller) {
        long userId = Ids.read(id);
        if (!caller.maySee(userId)) {
            throw new RefusedException(Code.NOT_FOUND);
        }
        return userId;
    }
}
