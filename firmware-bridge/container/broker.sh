#!/bin/sh
# Does what postinst and the timer do on a machine with systemd, then starts the broker.
set -e
mkdir -p /etc/mosquitto/certs /run/mosquitto
if ! [ -e /etc/mosquitto/cps-acl ]; then
    cp /usr/share/cps-bridge/acl /etc/mosquitto/cps-acl.new
    sync /etc/mosquitto/cps-acl.new
    mv /etc/mosquitto/cps-acl.new /etc/mosquitto/cps-acl
fi
for file in cps-passwords cps-users; do [ -e /etc/mosquitto/$file ] || : > /etc/mosquitto/$file; done
chmod 600 /etc/mosquitto/cps-acl /etc/mosquitto/cps-passwords
chown -R mosquitto: /etc/mosquitto/cps-acl /etc/mosquitto/cps-passwords /run/mosquitto /var/lib/mosquitto
/usr/lib/cps-bridge/certificates renew --if-due
while sleep 86400; do /usr/lib/cps-bridge/certificates renew --if-due || true; done &
exec /usr/sbin/mosquitto -c /usr/share/cps-bridge/mosquitto.conf
