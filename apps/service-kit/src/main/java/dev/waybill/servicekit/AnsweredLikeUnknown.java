package dev.waybill.servicekit;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.method.MethodAuthorizationDeniedHandler;

/**
 * Answers 404 in place of 403, so that nobody learns which ids of others exist: {@code @HandleAuthorizationDenied(handlerClass
 * = AnsweredLikeUnknown.class)} beside a {@code @PreAuthorize}.
 */
public final class AnsweredLikeUnknown implements MethodAuthorizationDeniedHandler {

    @Override
    public Object handleDeniedInvocation(MethodInvocation invocation, AuthorizationResult result) {
        throw new RefusedException(Code.NOT_FOUND);
    }
}
