package dev.waybill.guard.boot;

import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where springdoc is on the class path, its page shows what the guards add to each handler. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(GlobalOperationCustomizer.class)
class OpenApiBeans {

    @Bean
    GlobalOperationCustomizer documentedAnswers(CodeCatalogue catalogue) {
        SpringDocUtils.getConfig().addHiddenRestControllers(AnswerErrorController.class);
        return new OpenApiAnswers(catalogue);
    }
}
