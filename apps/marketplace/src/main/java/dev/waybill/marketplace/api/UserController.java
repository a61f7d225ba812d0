package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.marketplace.domain.Credit;
import dev.waybill.marketplace.domain.FollowUps;
import dev.waybill.marketplace.domain.Notification;
import dev.waybill.marketplace.domain.Rules;
import dev.waybill.marketplace.domain.Trade;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What a user can read about themselves. */
@Tag(name = "Users")
@RestController
@RequestMapping("/users/{id}")
class UserController {

    private static final int MOST = 100;

    private final Trade trade;
    private final FollowUps followUps;

    UserController(Trade trade, FollowUps followUps) {
        this.trade = trade;
        this.followUps = followUps;
    }

    /** Newest first. */
    @Operation(summary = "What a user was told, newest first")
    @GetMapping("/notifications")
    Answer<List<Notification>> notifications(@PathVariable String id, @RequestParam(defaultValue = "20") int size) {
        Rules.within("size", size, 1, MOST);
        return Answer.ok(followUps.of(Ids.read(id), size));
    }

    @Operation(summary = "A buyer's credit")
    @GetMapping("/credit")
    Answer<Credit> credit(@PathVariable String id) {
        return Answer.ok(trade.credit(Ids.read(id)));
    }
}
