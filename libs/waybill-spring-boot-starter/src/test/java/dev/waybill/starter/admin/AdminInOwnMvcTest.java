package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.starter.StartUpException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Applications that set Spring MVC up themselves: Spring Boot's set-up backs off, and nobody asks the configurers. */
class AdminInOwnMvcTest {

    private static final String LETTERS = AdminApi.PATH + "/dead-letters";

    @Configuration(proxyBeanMethods = false)
    static class OwnMvc extends WebMvcConfigurationSupport {}

    /** Finds no interceptors that are beans either. */
    @Configuration(proxyBeanMethods = false)
    static class MvcWithoutInterceptors extends WebMvcConfigurationSupport {

        @Override
        protected RequestMappingHandlerMapping createRequestMappingHandlerMapping() {
            return new RequestMappingHandlerMapping() {
                @Override
                protected void detectMappedInterceptors(List<HandlerInterceptor> found) {}
            };
        }
    }

    @Test
    void rolesAndHeadersAreAskedForAllTheSame() {
        try (AdminShop shop = new AdminShop(OwnMvc.class)) {
            assertRefused(shop.nobody().get(LETTERS), 401, "unauthenticated");
            assertRefused(shop.stranger().get(LETTERS), 403, "forbidden");
            assertRefused(shop.viewer().post(LETTERS + "/discard", "{}"), 403, "forbidden");
            assertRefused(shop.viewer().get(LETTERS + "?sorce=x"), 400, "bad_input");
            assertThat(shop.viewer().get(LETTERS).status()).isEqualTo(200);
        }
    }

    @Test
    void whereNothingCanStandBeforeItItDoesNotStart() {
        assertThatThrownBy(() -> new AdminShop(MvcWithoutInterceptors.class))
                .isInstanceOf(StartUpException.class)
                .hasMessageContaining("waybill.admin.enabled")
                .hasMessageContaining("interceptor");
    }

    private static void assertRefused(HttpReply reply, int status, String error) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
        assertThat(reply.text("error")).isEqualTo(error);
    }
}
