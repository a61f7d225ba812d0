package dev.waybill.guard.boot;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
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

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TomcatServletWebServerFactory.class)
    static class OnTomcat {

        /** Ordered last: the valve is then inside of the one that Boot adds, and reports an error before it. */
        @Bean
        @Order
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> answerValve(
                AnswerFactory answers, TraceIdGenerator ids) {
            return factory -> factory.addContextCustomizers(
                    context -> context.getParent().getPipeline().addValve(new AnswerValve(answers, ids)));
        }
    }
}
