package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.marketplace.domain.Product;
import dev.waybill.marketplace.domain.ProductService;
import dev.waybill.marketplace.domain.ProductStatus;
import dev.waybill.servicekit.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Products over HTTP. Everybody sees them; a seller offers their own. */
@Tag(name = "Products")
@RestController
@RequestMapping("/products")
class ProductController {

    private final ProductService products;

    ProductController(ProductService products) {
        this.products = products;
    }

    /** What the projection says of a product. */
    record Projected(long productId, ProductStatus status) {}

    @Operation(summary = "Offers a product")
    @PostMapping
    Answer<Product> offer(@Valid @RequestBody OfferProduct request, Caller caller) {
        caller.mustBe(request.sellerId());
        return Answer.ok(products.offer(request.sellerId(), request.title(), request.price()));
    }

    @Operation(summary = "A product")
    @GetMapping("/{id}")
    Answer<Product> find(@PathVariable String id) {
        return Answer.ok(products.find(Ids.read(id)));
    }

    /** The inventory's projection, which follows a moment later. */
    @Operation(summary = "What the inventory's projection says of a product")
    @GetMapping("/{id}/inventory")
    Answer<Projected> inventory(@PathVariable String id) {
        long productId = Ids.read(id);
        return Answer.ok(new Projected(productId, products.projected(productId)));
    }
}
