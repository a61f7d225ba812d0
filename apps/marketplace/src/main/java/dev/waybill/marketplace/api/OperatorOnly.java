package dev.waybill.marketplace.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The endpoints of this controller need the operator's login. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface OperatorOnly {}
