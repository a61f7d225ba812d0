package dev.waybill.guard.boot;

import java.lang.reflect.Method;

/** A method of a bean's own class: subclasses that inherit a guarded method have a plan each, and so a bucket each. */
record GuardedMethod(Class<?> owner, Method method) {}
