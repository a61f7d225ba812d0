package dev.waybill.servers;

/** A RabbitMQ virtual host of the test class's own; it is removed after the class with everything in it. */
public record Vhost(String name, String amqpUri, String user, String password) {}
