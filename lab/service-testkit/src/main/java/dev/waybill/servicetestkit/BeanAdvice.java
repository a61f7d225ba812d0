package dev.waybill.servicetestkit;

import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;

/**
 * Puts a test's own code around a method of one of a service's beans, outside of its transaction: to stop between two steps, to
 * crash there, or to do something else instead.
 */
public final class BeanAdvice {

    private BeanAdvice() {}

    /** The class is named by its simple name, as a service hides what others need not see. */
    public static void around(
            GenericApplicationContext beans, String className, String method, MethodInterceptor advice) {
        NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
        pointcut.setMappedName(method);
        pointcut.setClassFilter(type -> type.getSimpleName().equals(className));
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, advice);
        advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
        beans.registerBean(
                "test." + className + "." + method,
                Advisor.class,
                () -> advisor,
                // Spring's proxy creator for transactions takes only the advisors of the infrastructure.
                definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
    }
}
