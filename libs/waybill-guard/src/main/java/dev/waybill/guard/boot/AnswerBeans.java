package dev.waybill.guard.boot;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The beans that give every answer the same shape. */
@Configuration(proxyBeanMethods = false)
class AnswerBeans {

    @Bean
    CodeCatalogue codeCatalogue(GuardSettings settings) {
        return new CodeCatalogue(settings.codes());
    }

    @Bean
    AnswerFactory answers(CodeCatalogue catalogue, JsonMapper json) {
        return new AnswerFactory(catalogue, json);
    }

    @Bean
    AnswerBodyAdvice answerBodies(AnswerFactory answers) {
        return new AnswerBodyAdvice(answers);
    }

    @Bean
    AnswerExceptionHandler answerExceptionHandler(AnswerFactory answers) {
        return new AnswerExceptionHandler(answers);
    }

    @Bean
    @ConditionalOnMissingBean(ErrorController.class)
    AnswerErrorController answerErrorController(AnswerFactory answers) {
        return new AnswerErrorController(answers);
    }
}
