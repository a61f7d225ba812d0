package dev.waybill.alert;

/** How soon a person has to look. */
public enum Severity {
    WARNING,
    CRITICAL
}
