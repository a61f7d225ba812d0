package dev.waybill.guard.boot;

import dev.waybill.guard.web.AnswerErrorController;
import dev.waybill.guard.web.CodeCatalogue;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where springdoc is on the class path, its page tells what the guards add to each handler. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(GlobalOperationCustomizer.class)
class ApiPageBeans {

    @Bean
    GlobalOperationCustomizer documentedAnswers(CodeCatalogue catalogue) {
        SpringDocUtils.getConfig().addHiddenRestControllers(AnswerErrorController.class);
        return new DocumentedAnswers(catalogue);
    }
}
