package dev.waybill.inventory.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.inventory.domain.Limits;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.Reservation;
import dev.waybill.inventory.domain.ReservationRepository;
import dev.waybill.inventory.domain.ReservationStatus;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What became of an order here. */
@RestController
@Tag(name = "Reservations", description = "what became of an order here")
class ReservationController {

    private final ReservationRepository reservations;

    ReservationController(ReservationRepository reservations) {
        this.reservations = reservations;
    }

    /** A reservation as callers see it. */
    record ReservationView(
            String orderNo, ReservationStatus status, List<ItemView> items, Instant createdAt, Instant updatedAt) {

        static ReservationView of(Reservation reservation) {
            return new ReservationView(
                    reservation.orderNo(),
                    reservation.status(),
                    reservation.lines().stream().map(ItemView::of).toList(),
                    reservation.createdAt(),
                    reservation.updatedAt());
        }
    }

    /** A line of it. */
    record ItemView(long warehouseId, String skuId, long quantity) {

        static ItemView of(Line line) {
            return new ItemView(line.key().warehouseId(), line.key().skuId(), line.quantity());
        }
    }

    @Operation(
            summary = "An order's reservation",
            description = "RESERVED, RELEASED, FAILED for want of stock, or CANCELED when the cancel came first.")
    @GetMapping("/reservations/{orderNo}")
    public Answer<ReservationView> find(@PathVariable String orderNo) {
        if (!Limits.isOrderNo(orderNo)) {
            throw new RefusedException(Code.NOT_FOUND);
        }
        return reservations
                .find(orderNo)
                .map(reservation -> Answer.ok(ReservationView.of(reservation)))
                .orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
