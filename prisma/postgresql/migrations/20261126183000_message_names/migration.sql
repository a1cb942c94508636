-- Of which the Message-ID of a message is made; those that are there keep theirs, which is made of the key.
ALTER TABLE "messages" ADD COLUMN "name" TEXT;
