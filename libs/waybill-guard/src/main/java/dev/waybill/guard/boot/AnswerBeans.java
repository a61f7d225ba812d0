package dev.waybill.guard.boot;

import dev.waybill.guard.trace.TraceIds;
import dev.waybill.guard.web.AnswerBodies;
import dev.waybill.guard.web.AnswerErrorController;
import dev.waybill.guard.web.AnswerExceptionHandler;
import dev.waybill.guard.web.AnswerValve;
import dev.waybill.guard.web.Answers;
import dev.waybill.guard.web.CodeCatalogue;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.json.JsonMapper;

/** One shape for every answer. */
@Configuration(proxyBeanMethods = false)
class AnswerBeans {

    @Bean
    CodeCatalogue codeCatalogue(GuardSettings settings) {
        return new CodeCatalogue(settings.codes());
    }

    @Bean
    Answers answers(CodeCatalogue catalogue, JsonMapper json) {
        return new Answers(catalogue, json);
    }

    @Bean
    AnswerBodies answerBodies(Answers answers) {
        return new AnswerBodies(answers);
    }

    @Bean
    AnswerExceptionHandler answerExceptionHandler(Answers answers) {
        return new AnswerExceptionHandler(answers);
    }

    @Bean
    @ConditionalOnMissingBean(ErrorController.class)
    AnswerErrorController answerErrorController(Answers answers) {
        return new AnswerErrorController(answers);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TomcatServletWebServerFactory.class)
    static class OnTomcat {

        /** Last, so that the valve sits inside of Boot's own report valve and speaks first. */
        @Bean
        @Order
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> answerValve(Answers answers, TraceIds ids) {
            return factory -> factory.addContextCustomizers(
                    context -> context.getParent().getPipeline().addValve(new AnswerValve(answers, ids)));
        }
    }
}
