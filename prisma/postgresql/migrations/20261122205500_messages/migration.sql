-- AlterTable
ALTER TABLE "appointments" ADD COLUMN "movedAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN "emailConfirmedAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "messages" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "userId" INTEGER,
    "address" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "secretPath" TEXT,
    "calendar" TEXT,
    "appointmentId" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'pending' CHECK ("state" IN ('pending', 'sent', 'failed', 'not-mailed', 'dropped')),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "sentAt" TIMESTAMP(3),
    "failure" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_opt_outs" (
    "userId" INTEGER NOT NULL,
    "topic" TEXT NOT NULL CHECK ("topic" IN ('reminders', 'documents', 'receipts')),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_opt_outs_pkey" PRIMARY KEY ("userId","topic")
);

-- CreateIndex
CREATE UNIQUE INDEX "messages_key_key" ON "messages"("key");

-- CreateIndex
CREATE INDEX "messages_state_nextAttemptAt_idx" ON "messages"("state", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "messages_userId_createdAt_idx" ON "messages"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "messages_appointmentId_idx" ON "messages"("appointmentId");

-- CreateIndex
CREATE INDEX "messages_createdAt_idx" ON "messages"("createdAt");

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_opt_outs" ADD CONSTRAINT "mail_opt_outs_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "email_confirmations" (
    "tokenHash" TEXT NOT NULL,
    "userId" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_confirmations_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "calendar_feeds" (
    "userId" INTEGER NOT NULL,
    "secretHash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("userId")
);

-- AddForeignKey
ALTER TABLE "email_confirmations" ADD CONSTRAINT "email_confirmations_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "email_confirmations_userId_idx" ON "email_confirmations"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feeds_secretHash_key" ON "calendar_feeds"("secretHash");
