// Proves which addresses count as one mailbox or one domain in the email limits.
import { expect, test } from "vitest";
import { toRateLimitedDomain, toRateLimitedMailbox } from "../../app/mail/rate-limited-mailbox.ts";

test.each([
  ["maria@example.com", "maria@example.com"],
  ["maria+school@example.com", "maria@example.com"],
  ["maria+a+b@example.com", "maria@example.com"],
  ["m.aria@example.com", "m.aria@example.com"],
  ["m.ari.a+school@gmail.com", "maria@gmail.com"],
  ["maria@googlemail.com", "maria@gmail.com"],
  ["maria@gmail.com.example", "maria@gmail.com.example"],
  ["+school@example.com", "+school@example.com"],
  ["maria@constructor", "maria@constructor"],
])("%s is limited as the mailbox %s", (address, mailbox) => {
  expect(toRateLimitedMailbox(address)).toBe(mailbox);
});

test.each([
  ["maria@example.com", "example.com"],
  ["anything@maria.fastmail.com", "fastmail.com"],
  ["maria@sub.of.example.com", "example.com"],
  ["maria@gmail.com", null],
  ["maria@anything.gmail.com", "gmail.com"],
  ["maria@localhost", "localhost"],
])("%s is limited as part of the domain %s", (address, domain) => {
  expect(toRateLimitedDomain(address)).toBe(domain);
});
