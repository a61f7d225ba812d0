package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.marketplace.domain.Product;
import dev.waybill.marketplace.domain.ProductStatus;
import dev.waybill.marketplace.domain.Trade;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Products over HTTP. */
@RestController
@RequestMapping("/products")
class ProductController {

    private final Trade trade;

    ProductController(Trade trade) {
        this.trade = trade;
    }

    /** What the projection says of a product. */
    record Projected(long productId, ProductStatus status) {}

    @PostMapping
    Answer<Product> offer(@RequestBody OfferProduct request) {
        return Answer.ok(trade.offer(request.checked()));
    }

    @GetMapping("/{id}")
    Answer<Product> find(@PathVariable String id) {
        return Answer.ok(trade.find(Ids.read(id)));
    }

    /** The inventory's projection, which follows a moment later. */
    @GetMapping("/{id}/inventory")
    Answer<Projected> inventory(@PathVariable String id) {
        long productId = Ids.read(id);
        return Answer.ok(new Projected(productId, trade.projected(productId)));
    }
}
