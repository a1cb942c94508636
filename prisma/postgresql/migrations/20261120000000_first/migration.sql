-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "phone" TEXT,
    "isClient" BOOLEAN NOT NULL DEFAULT true,
    "isAdmin" BOOLEAN NOT NULL DEFAULT false,
    "profileImageUrl" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "sid" TEXT NOT NULL,
    "sess" TEXT NOT NULL,
    "expire" TIMESTAMP(3) NOT NULL,
    "userId" INTEGER,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("sid")
);

-- CreateTable
CREATE TABLE "password_resets" (
    "tokenHash" TEXT NOT NULL,
    "userId" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "drafts" (
    "userId" INTEGER NOT NULL,
    "form" TEXT NOT NULL,
    "answers" TEXT NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "drafts_pkey" PRIMARY KEY ("userId","form")
);

-- CreateTable
CREATE TABLE "intake_forms" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "fullName" TEXT NOT NULL,
    "phoneNumber" TEXT NOT NULL,
    "emailAddress" TEXT NOT NULL,
    "preferredContactMethod" TEXT NOT NULL DEFAULT 'phone',
    "address" TEXT NOT NULL,
    "childName" TEXT NOT NULL,
    "childAge" TEXT NOT NULL,
    "childBirthday" TEXT NOT NULL,
    "diagnosis" TEXT,
    "servicesCurrentlyReceiving" TEXT,
    "schoolName" TEXT,
    "gradeLevel" TEXT,
    "iepStatus" TEXT DEFAULT 'no',
    "primaryConcerns" TEXT NOT NULL DEFAULT '[]',
    "otherConcerns" TEXT,
    "additionalNotes" TEXT,
    "preferredDaysTimes" TEXT,
    "howDidYouHear" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "intake_forms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "consultation_requests" (
    "id" SERIAL NOT NULL,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone" TEXT,
    "serviceNeeds" TEXT NOT NULL,
    "urgency" TEXT NOT NULL,
    "message" TEXT,
    "consent" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "userId" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "consultation_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "appointments" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "appointmentDate" TIMESTAMP(3) NOT NULL,
    "duration" INTEGER NOT NULL DEFAULT 60,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'scheduled',
    "urgency" TEXT,
    "meetingLink" TEXT,
    "notes" TEXT,
    "isLiveVideoCall" BOOLEAN NOT NULL DEFAULT false,
    "paymentMethod" TEXT,
    "paymentAmountCents" INTEGER,
    "paymentStatus" TEXT NOT NULL DEFAULT 'pending',
    "paymentId" TEXT,
    "paymentDate" TIMESTAMP(3),
    "consultationRequestId" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "appointments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "documents" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "appointmentId" INTEGER,
    "fileName" TEXT NOT NULL,
    "fileType" TEXT NOT NULL,
    "fileSize" INTEGER NOT NULL,
    "filePath" TEXT NOT NULL,
    "description" TEXT,
    "isSharedWithClient" BOOLEAN NOT NULL DEFAULT true,
    "uploadedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "sessions_userId_idx" ON "sessions"("userId");

-- CreateIndex
CREATE INDEX "sessions_expire_idx" ON "sessions"("expire");

-- CreateIndex
CREATE INDEX "password_resets_userId_idx" ON "password_resets"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "intake_forms_userId_key" ON "intake_forms"("userId");

-- CreateIndex
CREATE INDEX "consultation_requests_status_createdAt_idx" ON "consultation_requests"("status", "createdAt");

-- CreateIndex
CREATE INDEX "consultation_requests_userId_idx" ON "consultation_requests"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "appointments_consultationRequestId_key" ON "appointments"("consultationRequestId");

-- CreateIndex
CREATE INDEX "appointments_appointmentDate_status_duration_idx" ON "appointments"("appointmentDate", "status", "duration");

-- CreateIndex
CREATE INDEX "appointments_userId_appointmentDate_idx" ON "appointments"("userId", "appointmentDate");

-- CreateIndex
CREATE INDEX "documents_userId_uploadedAt_idx" ON "documents"("userId", "uploadedAt");

-- CreateIndex
CREATE INDEX "documents_appointmentId_idx" ON "documents"("appointmentId");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intake_forms" ADD CONSTRAINT "intake_forms_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consultation_requests" ADD CONSTRAINT "consultation_requests_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_consultationRequestId_fkey" FOREIGN KEY ("consultationRequestId") REFERENCES "consultation_requests"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Checks that the schema file can't say.
ALTER TABLE "users" ADD CONSTRAINT "users_email_lowercase" CHECK ("email" COLLATE "C" !~ '[A-Z]');
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_form_known" CHECK ("form" IN ('intake', 'booking'));
ALTER TABLE "consultation_requests" ADD CONSTRAINT "consultation_requests_status_known" CHECK ("status" IN ('pending', 'scheduled'));
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_whole_minutes" CHECK (date_trunc('minute', "appointmentDate") = "appointmentDate");
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_duration_range" CHECK ("duration" BETWEEN 15 AND 240);
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_type_known" CHECK ("type" IN ('consultation', 'follow-up', 'emergency'));
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_status_known" CHECK ("status" IN ('scheduled', 'completed', 'cancelled', 'rescheduled', 'no-show'));
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_paymentMethod_known" CHECK ("paymentMethod" IN ('online', 'in-person'));
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_paymentStatus_known" CHECK ("paymentStatus" IN ('pending', 'paid', 'refunded', 'partly-refunded', 'failed'));

-- Two appointments never hold the same time, unless cancelled; ends may touch.
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_no_overlap"
    EXCLUDE USING gist (tsrange("appointmentDate", "appointmentDate" + make_interval(mins => "duration")) WITH &&)
    WHERE ("status" <> 'cancelled');

-- Writers of the calendar take turns: two that check the constraint at once would deadlock instead of one being refused.
CREATE FUNCTION "appointments_take_turns"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('appointments_no_overlap'));
    RETURN NEW;
END
$$;

CREATE TRIGGER "appointments_take_turns" BEFORE INSERT OR UPDATE OF "appointmentDate", "duration", "status" ON "appointments"
    FOR EACH ROW WHEN (NEW."status" <> 'cancelled') EXECUTE FUNCTION "appointments_take_turns"();
