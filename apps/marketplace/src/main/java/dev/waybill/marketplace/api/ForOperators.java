package dev.waybill.marketplace.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Whose endpoints need the operator's login, whatever path leads to them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface ForOperators {}
