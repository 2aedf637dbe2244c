package org.junit.platform.engine.discovery;

public class ClassSelector implements org.junit.platform.engine.DiscoverySelector {}
