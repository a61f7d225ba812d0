package dev.waybill.starter.admin;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;

/** The description of the API, for programs and for who writes them. */
@AdminApi
final class OpenApiController {

    static final String DOCUMENT = "openapi.yaml";

    @GetMapping("/" + DOCUMENT)
    ResponseEntity<Resource> openApi() {
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_YAML)
                .body(new ClassPathResource(DOCUMENT, OpenApiController.class));
    }
}
