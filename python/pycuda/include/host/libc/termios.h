/* Terminals of host code, which is read and not run. */
#ifndef HOSTCC_TERMIOS_H
#define HOSTCC_TERMIOS_H
extern "C" {
#define ICANON 2
#define ECHO 8
#define TCSANOW 0
#define TCSAFLUSH 2
#define VTIME 5
#define VMIN 6
typedef unsigned tcflag_t, speed_t;
typedef unsigned char cc_t;
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[32];
    speed_t c_ispeed, c_ospeed;
};
int tcgetattr(int, struct termios *) noexcept;
int tcsetattr(int, int, const struct termios *) noexcept;
}
#endif
