package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.marketplace.domain.Credit;
import dev.waybill.marketplace.domain.CreditRepository;
import dev.waybill.marketplace.domain.Notification;
import dev.waybill.marketplace.domain.NotificationRepository;
import dev.waybill.marketplace.domain.Validation;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A user's notifications and credit over HTTP. */
@Tag(name = "Users")
@RestController
@RequestMapping("/users/{id}")
class UserController {

    private static final int MOST = 100;

    private final CreditRepository credits;
    private final NotificationRepository notifications;

    UserController(CreditRepository credits, NotificationRepository notifications) {
        this.credits = credits;
        this.notifications = notifications;
    }

    /** Newest first. */
    @Operation(summary = "What a user was told, newest first")
    @GetMapping("/notifications")
    Answer<List<Notification>> notifications(@PathVariable String id, @RequestParam(defaultValue = "20") int size) {
        Validation.within("size", size, 1, MOST);
        return Answer.ok(notifications.ofUser(Ids.read(id), size));
    }

    @Operation(summary = "A buyer's credit")
    @GetMapping("/credit")
    Answer<Credit> credit(@PathVariable String id) {
        long buyerId = Ids.read(id);
        return Answer.ok(credits.find(buyerId).orElseGet(() -> Credit.fresh(buyerId)));
    }
}
